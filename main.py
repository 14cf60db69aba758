"""Start the Attention Debugger: `python main.py --help` lists what it can do."""

from attn_debugger.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
