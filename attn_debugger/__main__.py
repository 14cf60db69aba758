"""`python -m attn_debugger` is the same program as `main.py`."""

from attn_debugger.cli import main

raise SystemExit(main())
