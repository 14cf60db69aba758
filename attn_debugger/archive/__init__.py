"""The HDF5 archive, format 1: the only room that imports h5py."""
