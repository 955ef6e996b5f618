"""What stands before Django: whose pages may open sockets, and how much a request may bring."""
