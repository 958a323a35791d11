"""C3D recordings of a laboratory: markers, channels, force plates and which way is up."""
