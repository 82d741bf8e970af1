"""What is known of base, dear to learn and so cached: registries, facts for the guards, the site's interpreter."""
