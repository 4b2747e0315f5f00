"""What our crawl is measured against: two Scrapy projects, each a settings module and a spider."""
