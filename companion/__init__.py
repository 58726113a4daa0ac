"""The companion: rules, journal, referee, session, texts, and the commands that put them to work.

docs/architecture.md describes each package.
"""

import os

# NumPy's products here are so small that waking a second thread costs more than it saves, most of all on a small
# computer that has other things to do. Heeded because NumPy is only imported later.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
