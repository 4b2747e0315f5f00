"""What a site can send, byte by byte: nothing of it stops a reader, a crawl or the process."""
