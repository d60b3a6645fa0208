/// How the page of rules looks.
enum RulesTemplate {
  static let page = Template(
    """
    <h1>Rules</h1>
    <p class="quiet">Paste a list of rules, or choose one. What is wrong with it is shown with its place, and what
    it does to the URLs you give with the rule that does it.
    {{^isAsked}}<a href="{{base}}/rules?example=yes">Begin with an example</a>{{/isAsked}}</p>
    <div class="bench">
    <div class="inputs">
    <form id="bench" method="post" action="{{base}}/rules">
    <input type="hidden" name="secret" value="{{secret}}">
    <div class="field">
    <label for="list">List</label>
    <select id="list" name="list">
    {{#sources}}<option value="{{key}}"{{#isChosen}} selected{{/isChosen}}>{{name}}</option>{{/sources}}
    </select>
    </div>
    <div class="field">
    <label for="rules">Rules, as JSON</label>
    <textarea id="rules" name="rules" class="code" rows="14" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" placeholder='[{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}}]'>
    {{rules}}</textarea>
    </div>
    <div class="field">
    <label for="urls">URLs, one a line</label>
    <p class="quiet" id="urls-help">A type behind a URL takes the place of the one below, such as <code>https://example.com/a.gif image</code>.</p>
    <textarea id="urls" name="urls" class="code" rows="5" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" aria-describedby="urls-help">
    {{urls}}</textarea>
    </div>
    <div class="fields">
    <div class="field grow">
    <label for="page">On the page (if any)</label>
    <input id="page" name="page" value="{{page}}" inputmode="url" spellcheck="false" autocomplete="off" placeholder="https://example.com/">
    </div>
    <div class="field">
    <label for="type">Type</label>
    <select id="type" name="type">{{#types}}<option{{#isChosen}} selected{{/isChosen}}>{{word}}</option>{{/types}}</select>
    </div>
    <div class="field">
    <label for="context">Loaded by</label>
    <select id="context" name="context">{{#contexts}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{label}}</option>{{/contexts}}</select>
    </div>
    <div class="field">
    <label for="rule">Why not rule</label>
    <input id="rule" name="rule" class="short" value="{{rule}}" inputmode="numeric" autocomplete="off" placeholder="number">
    </div>
    </div>
    <p class="actions"><button class="main">Check</button></p>
    </form>
    <form class="panel" method="post" action="{{base}}/rules/open" enctype="multipart/form-data">
    <input type="hidden" name="secret" value="{{secret}}">
    <input type="hidden" name="urls" value="{{urls}}">
    <input type="hidden" name="page" value="{{page}}">
    <label for="file">Open a list from a file</label>
    <input id="file" name="file" type="file" required accept=".json,application/json">
    <button>Open</button>
    </form>
    </div>
    <section class="outputs" aria-labelledby="answer-heading">
    <h2 id="answer-heading">Answer</h2>
    <p id="progress" class="quiet" role="status"></p>
    <div id="answer">{{{answer}}}{{^isAsked}}<p class="empty">The answer comes here as you type.</p>{{/isAsked}}</div>
    </section>
    </div>

    """
  )

  static let answer = Template(
    """
    {{#isEmpty}}<p class="empty" data-says="There are no rules yet.">There are no rules yet. Paste a list, or choose one.</p>{{/isEmpty}}
    {{^isEmpty}}
    <p class="verdict {{#isAccepted}}accepted{{/isAccepted}}{{^isAccepted}}refused{{/isAccepted}}" data-says="{{verdict}}">{{verdict}}</p>
    {{#limit}}<p class="notice warning">{{message}}</p>{{/limit}}
    {{#hasLoads}}
    <h3>What it does</h3>
    <ol class="loads">
    {{#loads}}
    {{#isRefused}}<li class="quiet">The list is refused, so that it does nothing. The errors below say why.</li>{{/isRefused}}
    {{#fault}}<li class="load"><p class="decision fault">Not a load</p><p><code>{{url}}</code></p><p>{{reason}}</p></li>{{/fault}}
    {{#load}}
    <li class="load">
    <p><span class="decision {{class}}">{{decision}}</span> <code class="url">{{url}}</code></p>
    {{#newURL}}<p>goes to <code>{{text}}</code></p>{{/newURL}}
    <p class="quiet">{{type}}, {{party}}, from the {{context}}{{^hasMatches}}; no rule matches{{/hasMatches}}</p>
    {{#hasMatches}}
    <ul class="matches">
    {{#matches}}
    <li{{#isIdle}} class="idle"{{/isIdle}}>{{sentence}}<br><code>{{text}}</code></li>
    {{/matches}}
    {{#more}}<li>and {{text}}</li>{{/more}}
    </ul>
    {{/hasMatches}}
    {{#asked}}<p class="reason">{{sentence}}</p>{{/asked}}
    {{#others}}
    <details{{#isOpen}} open{{/isOpen}}><summary>{{count}} not match</summary>
    {{#list}}<p class="reason">{{sentence}}</p>{{/list}}
    </details>
    {{/others}}
    </li>
    {{/load}}
    {{/loads}}
    </ol>
    {{#rest}}<p class="quiet">{{text}} not looked at; ask about them by themselves.</p>{{/rest}}
    {{/hasLoads}}
    {{#hasGlobals}}<p class="quiet">{{globalCount}} something on every page, and so belongs to no load.</p>{{/hasGlobals}}
    {{#hasDiagnostics}}
    <h3>What was found</h3>
    <ol class="diagnostics">
    {{#diagnostics}}
    <li class="diagnostic {{severity}}">
    <p><strong class="severity">{{severity}}</strong> <span class="quiet">{{place}}</span></p>
    <p class="message">{{message}}</p>
    {{#excerpt}}<pre class="excerpt">{{before}}<mark>{{spot}}</mark>{{after}}</pre>{{/excerpt}}
    {{#hint}}<p><strong>Hint:</strong> {{text}}</p>{{/hint}}
    <p class="quiet">{{#path}}at <code>{{text}}</code> · {{/path}}{{code}}{{#webKit}} · WebKit reports: {{text}}{{/webKit}}</p>
    </li>
    {{/diagnostics}}
    </ol>
    {{#turns}}
    <nav class="paging" aria-label="More diagnostics">
    {{#before}}<button form="bench" name="diagnostics" value="{{number}}">← Before</button>{{/before}}
    <span>Part {{page}} of {{pages}}</span>
    {{#next}}<button form="bench" name="diagnostics" value="{{number}}">Next →</button>{{/next}}
    </nav>
    {{/turns}}
    {{/hasDiagnostics}}
    {{^hasDiagnostics}}<p class="quiet">Nothing is wrong with the list.</p>{{/hasDiagnostics}}
    {{/isEmpty}}

    """
  )
}
