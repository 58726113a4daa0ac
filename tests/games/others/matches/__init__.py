"""Three heaps of matches: no dice, no camera, a hidden goal for each player, an opening bid that all make at once."""
