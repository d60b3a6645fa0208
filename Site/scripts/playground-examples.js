"use strict";
// What the playground offers to begin with: each shows one thing that surprises people.

const playgroundExamples = [
  {
    name: "A rule that takes too much",
    list: `[
  {
    "trigger": {"url-filter": ".*"},
    "action": {"type": "css-display-none", "selector": "div.comments"}
  },
  {
    "trigger": {"url-filter": "/cat", "if-domain": ["cutepuppiesandcats.com"]},
    "action": {"type": "block"}
  }
]
`,
    url: "http://cutepuppiesandcats.com/cats-and-dogs.css",
    page: "http://cutepuppiesandcats.com/",
    type: "style-sheet",
  },
  {
    name: "Exceptions and order",
    list: `[
  {"trigger": {"url-filter": "banner"}, "action": {"type": "block-cookies"}},
  {"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
  {"trigger": {"url-filter": "banner"}, "action": {"type": "block"}},
  {"trigger": {"url-filter": "/ads/charity"}, "action": {"type": "ignore-previous-rules"}},
  {"trigger": {"url-filter": "/ads/"}, "action": {"type": "block-cookies"}}
]
`,
    url: "http://shop.example/ads/charity/banner.png",
    page: "http://shop.example/",
    type: "image",
  },
  {
    name: "A list that is refused",
    list: `[
  {"trigger": {"url-filter": "(ads|banners)/"}, "action": {"type": "block"}},
  {"trigger": {"url-filter": "track", "if-domain": ["News.example"]}, "action": {"type": "block"}},
  {"trigger": {"url-filter": "pixel", "load-typ": ["third-party"]}, "action": {"type": "block"}}
]
`,
    url: "https://cdn.example/ads/1.png",
    page: "https://news.example/",
    type: "image",
  },
  {
    name: "https and hiding",
    list: `[
  {"trigger": {"url-filter": "^http://news\\\\.example[:/]"}, "action": {"type": "make-https"}},
  {"trigger": {"url-filter": ".*", "if-domain": ["news.example"]},
   "action": {"type": "css-display-none", "selector": "#sponsored, .newsletter"}},
  {"trigger": {"url-filter": ".*", "load-type": ["third-party"]}, "action": {"type": "block-cookies"}}
]
`,
    url: "http://news.example/",
    page: "http://news.example/",
    type: "top-document",
  },
];
