/// How the pages of the stream look.
enum StreamTemplate {
  private static let hidden = #"<input type="hidden" name="secret" value="{{secret}}">"#

  static let stream = Template(
    """
    <div class="heading">
    <h1>Stream</h1>
    <div class="actions">
    {{^isEmpty}}<form method="post" action="{{base}}/stream/refresh">\(hidden)<input type="hidden" name="place" value="{{place}}"><button>Refresh</button></form>{{/isEmpty}}
    <a class="button" href="{{base}}/stream/sources">Subscriptions</a>
    </div>
    </div>
    {{#isEmpty}}
    <div class="empty">
    <p class="large" aria-hidden="true">📰</p>
    <h2>No subscriptions yet</h2>
    <p>The stream shows the newest links of the sites that you follow. Give the address of a site or
    of its feed.</p>
    <form class="search" method="post" action="{{base}}/stream/subscribe">
    \(hidden)
    <label for="address">Address</label>
    <input id="address" name="address" required inputmode="url" spellcheck="false" autocomplete="off" placeholder="example.org">
    <button class="main">Subscribe</button>
    </form>
    </div>
    {{/isEmpty}}
    {{^isEmpty}}
    <form class="search" role="search" method="get" action="{{base}}/stream">
    <label for="q" class="hidden">Search links</label>
    <input id="q" name="q" type="search" value="{{words}}" autocomplete="off" placeholder="Words in title, text or address">
    <label for="source" class="hidden">From</label>
    <select id="source" name="source">
    <option value="">All subscriptions</option>
    {{#sources}}<option value="{{id}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/sources}}
    </select>
    <label class="choice"><input type="checkbox" name="unread" value="yes"{{#isUnread}} checked{{/isUnread}}> Unread only</label>
    {{#showsBlocked}}<label class="choice"><input type="checkbox" name="blocked" value="yes" checked> With blocked links</label>{{/showsBlocked}}
    <button>Show</button>
    {{#isFiltered}}<a href="{{base}}/stream">Show all</a>{{/isFiltered}}
    </form>
    <div class="line">
    <p class="quiet">{{summary}}</p>
    {{#hasUnread}}
    <form method="post" action="{{base}}/stream/mark-all">\(hidden)<input type="hidden" name="now" value="{{now}}"><input type="hidden" name="place" value="{{place}}">{{#sources}}{{#isChosen}}<input type="hidden" name="source" value="{{id}}">{{/isChosen}}{{/sources}}<button class="plain">Mark all as read</button></form>
    {{/hasUnread}}
    </div>
    {{#isNothingFetched}}<p class="empty">There are no links yet. “Refresh” fetches them.</p>{{/isNothingFetched}}
    {{#isNothingFound}}<p class="empty">No link is to be shown here.{{#isFiltered}} <a href="{{base}}/stream">Show all links</a>{{/isFiltered}}</p>{{/isNothingFound}}
    {{#hasItems}}
    <ol class="links">
    {{#items}}
    <li class="link {{#isRead}}read{{/isRead}}{{^isRead}}unread{{/isRead}}" data-id="{{id}}">
    {{#icon}}<img class="icon" src="{{base}}/stream/icons/{{digest}}" alt="" width="20" height="20" loading="lazy">{{/icon}}{{^icon}}<span class="icon none" aria-hidden="true">{{letter}}</span>{{/icon}}
    <div class="what">
    <h2 dir="auto">{{#address}}<a class="out" href="{{url}}" target="_blank" rel="noopener noreferrer">{{title}}</a>{{/address}}{{^address}}{{title}}{{/address}}{{^isRead}}<span class="hidden"> (unread)</span>{{/isRead}}</h2>
    <p class="quiet"><bdi>{{source}}</bdi> · {{#time}}<time datetime="{{machine}}" title="{{full}}">{{human}}</time>{{/time}} · {{host}}{{#blockedBy}} · <strong>blocked by rule {{rule}} of {{list}}</strong>{{/blockedBy}}</p>
    {{#text}}<p class="excerpt" dir="auto">{{text}}</p>{{/text}}
    </div>
    <form method="post" action="{{base}}/stream/mark">\(hidden)<input type="hidden" name="place" value="{{place}}"><input type="hidden" name="id" value="{{id}}"><input type="hidden" name="read" value="{{#isRead}}no{{/isRead}}{{^isRead}}yes{{/isRead}}"><button class="plain" aria-label="Mark as {{#isRead}}unread{{/isRead}}{{^isRead}}read{{/isRead}}: {{title}}">{{#isRead}}Mark unread{{/isRead}}{{^isRead}}Mark read{{/isRead}}</button></form>
    </li>
    {{/items}}
    </ol>
    {{/hasItems}}
    {{#hasBlocked}}<p class="quiet">{{blocked}} hidden by your rules. <a href="{{base}}/stream?blocked=yes">Show them</a></p>{{/hasBlocked}}
    \(Paging.markup)
    {{/isEmpty}}

    """
  )

  static let sources = Template(
    """
    <p class="up"><a href="{{base}}/stream">← Stream</a></p>
    <h1>Subscriptions</h1>
    {{#error}}<p id="fault" class="notice warning" role="alert">{{message}}</p>{{/error}}
    {{#hasCandidates}}
    <section class="panel">
    <h2>That page has several feeds</h2>
    <ul class="choices">
    {{#candidates}}
    <li><form method="post" action="{{base}}/stream/subscribe">\(hidden)<input type="hidden" name="address" value="{{address}}"><button>Subscribe</button> <span>{{title}}<br><span class="quiet">{{address}}</span></span></form></li>
    {{/candidates}}
    </ul>
    </section>
    {{/hasCandidates}}
    <form class="search" method="post" action="{{base}}/stream/subscribe">
    \(hidden)
    <label for="address">Address of a site or feed</label>
    <input id="address" name="address" required value="{{address}}" inputmode="url" spellcheck="false" autocomplete="off" placeholder="example.org"{{#error}} aria-invalid="true" aria-describedby="fault" autofocus{{/error}}>
    <button class="main">Subscribe</button>
    </form>
    {{^isEmpty}}
    <div class="wide">
    <table>
    <caption>What the stream is made of</caption>
    <thead><tr><th scope="col">Name</th><th scope="col" class="number">Links</th><th scope="col" class="number">Unread</th><th scope="col">Last fetched</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
    <tbody>
    {{#sources}}
    <tr>
    <th scope="row">{{#icon}}<img class="icon" src="{{base}}/stream/icons/{{digest}}" alt="" width="16" height="16"> {{/icon}}<a href="{{base}}/stream?source={{id}}">{{title}}</a><br><span class="quiet">{{key}}{{^isFeed}} · extension{{/isFeed}}</span>{{#fault}}<br><strong class="fault">{{text}}</strong>{{/fault}}</th>
    <td class="number">{{count}}</td>
    <td class="number">{{unread}}</td>
    <td>{{#fetched}}<time datetime="{{machine}}" title="{{full}}">{{human}}</time>{{/fetched}}{{^fetched}}not yet{{/fetched}}</td>
    <td>{{#isFeed}}<a class="button" href="{{base}}/stream/sources/{{id}}/remove" aria-label="Unsubscribe from {{title}}">Unsubscribe</a>{{/isFeed}}</td>
    </tr>
    {{/sources}}
    </tbody>
    </table>
    </div>
    {{/isEmpty}}
    <section class="panel">
    <h2>Other readers</h2>
    <form method="post" action="{{base}}/stream/import" enctype="multipart/form-data">
    \(hidden)
    <label for="file">Subscriptions as OPML</label>
    <input id="file" name="file" type="file" required accept=".opml,.xml,text/x-opml">
    <button>Import</button>
    </form>
    {{^isEmpty}}<p><a href="{{base}}/stream/export">Export your subscriptions</a></p>{{/isEmpty}}
    </section>

    """
  )

  static let removal = Template(
    """
    <h1>Unsubscribe from {{title}}?</h1>
    <p>{{count}} of <code>{{key}}</code> go with it.</p>
    <form method="post" action="{{base}}/stream/sources/{{id}}/remove">
    \(hidden)
    <p class="actions"><button class="danger">Unsubscribe</button> <a class="button" href="{{base}}/stream/sources">Keep it</a></p>
    </form>

    """
  )
}
