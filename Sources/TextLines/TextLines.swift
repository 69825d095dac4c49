// TextLines
