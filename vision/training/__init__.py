"""What all networks are taught with (extra ``train``): colours and grounds of made-up tables, a camera,
layers, steps."""
