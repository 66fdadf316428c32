"""Widgets of many libraries, each with its own check: can the right action be expressed and executed?"""
