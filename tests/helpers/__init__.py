"""What test modules share: servers, crawls, made sites, states. No test imports from another."""
