"""What is computed once of a layer's maps and scores, and shared by every signal."""
