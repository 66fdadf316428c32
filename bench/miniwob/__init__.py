"""MiniWoB++ pages: served locally from the installed package, with their own goals and rewards."""
