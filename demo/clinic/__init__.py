"""A small clinic: a single-page app with a patient register, to try Tabwright on."""
