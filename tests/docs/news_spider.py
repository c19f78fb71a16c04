"""A spider over the site of a test: a list of news, and a page for each."""

import scrapy


class NewsSpider(scrapy.Spider):
    name = "news"

    async def start(self):
        yield scrapy.Request(self.site)

    def parse(self, response):
        yield from response.follow_all(css="a.news", callback=self.parse_article)

    def parse_article(self, response):
        yield {
            "url": response.url,
            "title": response.css("h1::text").get(),
            "text": "\n".join(response.css("article p::text").getall()),
            "published_at": response.css("time::attr(datetime)").get(),
            "section": "city",
        }
