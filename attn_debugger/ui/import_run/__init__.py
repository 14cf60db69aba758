"""The dialog that makes an archive of somebody else's file."""
