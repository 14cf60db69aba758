import sys
from pathlib import Path

# The corpus files stay in their own style and import each other by name.
sys.path.insert(0, str(Path(__file__).parent))
