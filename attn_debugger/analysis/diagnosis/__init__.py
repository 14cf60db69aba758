"""The end of an examination: severities, order, words, the story, and what was not looked at."""
