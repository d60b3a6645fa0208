enum N {}
