"""Training code shared by all networks (extra ``train``): synthetic colours and surfaces, camera, layers,
optimisation."""
