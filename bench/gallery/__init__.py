"""Widgets of many libraries, each with its own check in its page: can the right action be said and done?"""
