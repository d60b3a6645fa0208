/// How the pages of extensions look.
enum ExtensionsTemplate {
  private static let switchForm = """
    <form method="post" action="{{base}}/extensions/extension/{{id}}/{{#isOn}}off{{/isOn}}{{^isOn}}on{{/isOn}}">
    <input type="hidden" name="secret" value="{{secret}}">{{#isDetail}}<input type="hidden" name="from" value="detail">{{/isDetail}}
    <button class="switch" role="switch" aria-checked="{{#isOn}}true{{/isOn}}{{^isOn}}false{{/isOn}}" aria-label="{{name}}"><span aria-hidden="true">{{#isOn}}On{{/isOn}}{{^isOn}}Off{{/isOn}}</span></button>
    </form>
    """

  private static let failure = """
    {{#failure}}
    <div class="failure">
    <p><strong>{{#hasPlace}}Error at {{place}}{{/hasPlace}}{{^hasPlace}}Error{{/hasPlace}}</strong>{{#date}} · <time datetime="{{machine}}" title="{{full}}">{{human}}</time>{{/date}}</p>
    <p>{{message}}</p>
    <p class="quiet">{{source}}</p>
    {{#isBlocker}}<p><a href="{{base}}/rules?list={{id}}">Look at the list</a></p>{{/isBlocker}}
    </div>
    {{/failure}}
    """

  static let list = Template(
    """
    <h1>Extensions</h1>
    {{#isEmpty}}
    <div class="empty">
    <p class="large" aria-hidden="true">🧩</p>
    <h2>No extensions yet</h2>
    <p>Install one from a gallery, a bundle or a list of rules, then turn it on here:</p>
    <pre><code>tickbird install NAME
    tickbird extensions install NAME.appex
    tickbird extensions install LIST.json</code></pre>
    <p>To try rules without an extension, open <a href="{{base}}/rules">Rules</a>.</p>
    </div>
    {{/isEmpty}}
    {{^isEmpty}}
    <p class="quiet">{{summary}}</p>
    <ul class="cards">
    {{#extensions}}
    <li class="card extension">
    <div class="card-head">
    <div>
    <h2><a href="{{base}}/extensions/extension/{{id}}">{{name}}</a></h2>
    <p class="quiet">{{kind}} {{version}} · <code>{{identifier}}</code></p>
    </div>
    \(switchForm)
    </div>
    \(failure)
    <div class="card-foot">
    <p class="quiet">{{#hasList}}List: {{list}}{{#listDate}}, made <time datetime="{{machine}}" title="{{full}}">{{human}}</time>{{/listDate}}{{/hasList}}</p>
    <div class="actions">
    {{#mayReload}}<form method="post" action="{{base}}/extensions/extension/{{id}}/reload"><input type="hidden" name="secret" value="{{secret}}"><button aria-label="Reload {{name}}">Reload</button></form>{{/mayReload}}
    <a class="button" href="{{base}}/extensions/extension/{{id}}#log" aria-label="Log of {{name}}">Log</a>
    </div>
    </div>
    </li>
    {{/extensions}}
    </ul>
    {{/isEmpty}}

    """
  )

  static let detail = Template(
    """
    <p class="up"><a href="{{base}}/extensions">← Extensions</a></p>
    <div class="heading">
    <h1>{{name}}</h1>
    \(switchForm)
    </div>
    \(failure)
    <dl class="facts">
    <div><dt>Kind</dt><dd>{{kind}}</dd></div>
    <div><dt>Version</dt><dd>{{version}} ({{build}}){{#previous}}, before it {{text}}{{/previous}}</dd></div>
    <div><dt>Identifier</dt><dd><code>{{identifier}}</code></dd></div>
    {{#hasList}}<div><dt>List</dt><dd>{{list}}{{#listDate}}, made <time datetime="{{machine}}">{{full}}</time>{{/listDate}}</dd></div>{{/hasList}}
    <div><dt>Network</dt><dd>{{network}}</dd></div>
    {{#groups}}<div><dt>Groups</dt><dd>{{text}}</dd></div>{{/groups}}
    <div><dt>Signed by</dt><dd>{{signer}}</dd></div>
    <div><dt>Bundle</dt><dd><code>{{path}}</code></dd></div>
    </dl>
    <div class="actions">
    {{#mayReload}}<form method="post" action="{{base}}/extensions/extension/{{id}}/reload"><input type="hidden" name="secret" value="{{secret}}"><input type="hidden" name="from" value="detail"><button>Reload the list</button></form>{{/mayReload}}
    {{#hasListText}}<a class="button" href="{{base}}/rules?list={{id}}">Look at its rules</a>{{/hasListText}}
    {{#isNetworkYours}}<form method="post" action="{{base}}/extensions/extension/{{id}}/network"><input type="hidden" name="secret" value="{{secret}}"><input type="hidden" name="from" value="detail"><input type="hidden" name="granted" value="{{#isGranted}}no{{/isGranted}}{{^isGranted}}yes{{/isGranted}}"><button>{{#isGranted}}Take the network away{{/isGranted}}{{^isGranted}}Grant the network{{/isGranted}}</button></form>{{/isNetworkYours}}
    </div>
    <h2 id="log">Log</h2>
    {{^hasLog}}<p class="quiet">Nothing was logged yet. What the extension prints, and what happens to its requests, comes here.</p>{{/hasLog}}
    {{#hasLog}}
    {{#cut}}<p class="quiet">{{text}}</p>{{/cut}}
    <pre class="log" tabindex="0" role="region" aria-labelledby="log">{{log}}</pre>
    {{/hasLog}}

    """
  )
}
