int legacy(void) { return 0; }
