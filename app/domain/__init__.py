"""The values that all rooms share. They know no framework, and of other rooms only text and errors."""
