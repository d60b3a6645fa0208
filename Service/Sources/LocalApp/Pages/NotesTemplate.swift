/// How the page of notes looks.
enum NotesTemplate {
  static let list = Template(
    """
    <div class="heading">
    <h1>Notes</h1>
    <p class="actions"><a class="button main" href="{{base}}/notes/new">Add a note</a></p>
    </div>
    {{#isEmpty}}
    <div class="empty">
    <p class="large" aria-hidden="true">📝</p>
    <h2>No notes yet</h2>
    <p>A note stands in place of a page until you decide to view it. Add one here, or with the
    toolbar button while you are on a site.</p>
    <p><a class="button main" href="{{base}}/notes/new">Add the first note</a></p>
    </div>
    {{/isEmpty}}
    {{^isEmpty}}
    <form class="search" role="search" method="get" action="{{base}}/notes">
    <label for="q" class="hidden">Search notes</label>
    <input id="q" name="q" type="search" value="{{words}}" autocomplete="off" placeholder="Words, an emoji or an address">
    <button>Search</button>
    {{#isSearch}}<a href="{{base}}/notes">Show all</a>{{/isSearch}}
    </form>
    <p class="quiet">{{summary}}</p>
    {{#isNothingFound}}
    <p class="empty">No note has all of these words. <a href="{{base}}/notes">Show all notes</a></p>
    {{/isNothingFound}}
    <ul class="cards">
    {{#notes}}
    <li class="card note">
    <div class="card-head">
    <span class="emoji" aria-hidden="true">{{emoji}}</span>
    <div>
    <h2><a href="{{base}}/notes/note/{{id}}">{{target}}</a></h2>
    <p class="quiet">{{scope}}{{#until}} · <strong>snoozed until <time datetime="{{machine}}" title="{{full}}">{{full}}</time></strong>{{/until}}</p>
    </div>
    </div>
    <p class="text" dir="auto">{{text}}</p>
    {{#hasOthers}}
    <div class="others">
    {{#others}}
    <h3>Also written, on another device</h3>
    <p class="text" dir="auto">{{.}}</p>
    {{/others}}
    <form method="post" action="{{base}}/notes/note/{{id}}/settle">
    <input type="hidden" name="secret" value="{{secret}}">
    <button>Keep the first text alone</button>
    </form>
    </div>
    {{/hasOthers}}
    <div class="card-foot">
    <p class="quiet">shown {{shown}} · left {{left}} · viewed {{viewed}} · changed {{#changed}}<time datetime="{{machine}}" title="{{full}}">{{human}}</time>{{/changed}}</p>
    <div class="actions">
    {{#until}}<form method="post" action="{{base}}/notes/note/{{id}}/wake"><input type="hidden" name="secret" value="{{secret}}"><button>Show again</button></form>{{/until}}
    <a class="button" href="{{base}}/notes/note/{{id}}" aria-label="Change the note on {{target}}">Change</a>
    <a class="button" href="{{base}}/notes/note/{{id}}/delete" aria-label="Delete the note on {{target}}">Delete</a>
    </div>
    </div>
    </li>
    {{/notes}}
    </ul>
    \(Paging.markup)
    {{/isEmpty}}
    <section class="panel">
    <h2>Import and export</h2>
    <form method="post" action="{{base}}/notes/import" enctype="multipart/form-data">
    <input type="hidden" name="secret" value="{{secret}}">
    <label for="file">A file of notes, JSON or Markdown</label>
    <input id="file" name="file" type="file" required accept=".json,.md,.markdown,application/json,text/markdown">
    <button>Import</button>
    </form>
    {{^isEmpty}}
    <p>All notes as a file: <a href="{{base}}/notes/export?format=json">JSON</a>,
    <a href="{{base}}/notes/export?format=markdown">Markdown</a>. Both can be imported again.</p>
    {{/isEmpty}}
    </section>

    """
  )

  static let editor = Template(
    """
    <h1>{{heading}}</h1>
    {{#error}}<p id="fault" class="notice warning" role="alert">{{message}}</p>{{/error}}
    <form class="form" method="post" action="{{action}}">
    <input type="hidden" name="secret" value="{{secret}}">
    <div class="field">
    <label for="address">Address</label>
    <input id="address" name="address" required value="{{address}}" autocomplete="off" inputmode="url" spellcheck="false" placeholder="example.com/news"{{#error}}{{#isAddress}} aria-invalid="true" aria-describedby="fault" autofocus{{/isAddress}}{{/error}}>
    </div>
    <fieldset>
    <legend>What it is for</legend>
    {{#kinds}}
    <label class="choice"><input type="radio" name="kind" value="{{value}}"{{#isChosen}} checked{{/isChosen}}><span>{{label}} <span class="quiet">{{help}}</span></span></label>
    {{/kinds}}
    </fieldset>
    <div class="field">
    <label for="text">What it says</label>
    <textarea id="text" name="text" rows="6" required dir="auto"{{#error}}{{^isAddress}} aria-invalid="true" aria-describedby="fault"{{/isAddress}}{{/error}}>
    {{text}}</textarea>
    </div>
    <div class="fields">
    <div class="field">
    <label for="emoji">Emoji</label>
    <input id="emoji" name="emoji" class="short" value="{{emoji}}" autocomplete="off">
    </div>
    <div class="field">
    <label for="snooze">“View Website” lets the page come for</label>
    <p class="unit"><input id="snooze" name="snooze" class="short" type="number" min="1" max="525600" required value="{{snooze}}"> minutes</p>
    </div>
    </div>
    <p class="actions">
    <button class="main">{{#isNew}}Add the note{{/isNew}}{{^isNew}}Save{{/isNew}}</button>
    <a class="button" href="{{base}}/notes">Cancel</a>
    {{#note}}<a class="button" href="{{base}}/notes/note/{{id}}/delete">Delete</a>{{/note}}
    </p>
    </form>
    {{#note}}
    <dl class="facts">
    <div><dt>Shown</dt><dd>{{shown}} times</dd></div>
    <div><dt>Left</dt><dd>{{left}} times</dd></div>
    <div><dt>Viewed</dt><dd>{{viewed}} times</dd></div>
    <div><dt>Made</dt><dd>{{#created}}<time datetime="{{machine}}">{{full}}</time>{{/created}}</dd></div>
    <div><dt>Changed</dt><dd>{{#changed}}<time datetime="{{machine}}">{{full}}</time>{{/changed}}</dd></div>
    </dl>
    {{/note}}

    """
  )

  static let deletion = Template(
    """
    {{#note}}
    <h1>Delete this note?</h1>
    <div class="card note">
    <div class="card-head">
    <span class="emoji" aria-hidden="true">{{emoji}}</span>
    <div><h2>{{target}}</h2><p class="quiet">{{scope}}</p></div>
    </div>
    <p class="text" dir="auto">{{text}}</p>
    </div>
    <form method="post" action="{{base}}/notes/note/{{id}}/delete">
    <input type="hidden" name="secret" value="{{secret}}">
    <p class="actions">
    <button class="danger">Delete</button>
    <a class="button" href="{{base}}/notes">Keep it</a>
    </p>
    </form>
    {{/note}}

    """
  )
}
