/// How all pages look, light and dark.
///
/// Colours of text have a contrast of 4.5 to 1 and more.
enum StyleSheet {
  static let text = """
    :root {
      color-scheme: light dark;
      --text: #1d2129;
      --quiet: #5a6372;
      --ground: #f6f7fa;
      --raised: #ffffff;
      --sunk: #eef1f5;
      --line: #dde2e9;
      --field: #858d9a;
      --accent: #3b5b8c;
      --accent-text: #ffffff;
      --focus: #1f6fd1;
      --bad: #a8231a;
      --bad-ground: #fcedea;
      --warn: #7a5200;
      --warn-ground: #fdf4dc;
      --note: #2c5a94;
      --mark: #ffe08a;
    }

    @media (prefers-color-scheme: dark) {
      :root {
        --text: #e8ebf0;
        --quiet: #a3acba;
        --ground: #181b20;
        --raised: #1f232a;
        --sunk: #292d35;
        --line: #3a404b;
        --field: #79828f;
        --accent: #8fb2ea;
        --accent-text: #14181f;
        --focus: #8ab8ff;
        --bad: #ff9d92;
        --bad-ground: #3a2220;
        --warn: #f0c669;
        --warn-ground: #352c18;
        --note: #9dc1f5;
        --mark: #6b5200;
      }
    }

    * { box-sizing: border-box; }
    html { background: var(--ground); }
    body {
      margin: 0 auto;
      padding: 0 20px 64px;
      max-width: 860px;
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
      color: var(--text);
    }
    body.rules { max-width: 1240px; }

    h1, h2, h3, p, ul, ol, dl, dd, pre, fieldset { margin: 0; padding: 0; }
    ul, ol { list-style: none; }
    h1 { font-size: 27px; line-height: 1.25; letter-spacing: -0.01em; overflow-wrap: anywhere; }
    h2 { font-size: 16px; overflow-wrap: anywhere; }
    h3 { font-size: 14px; }
    main > * + * { margin-top: 16px; }
    main > h2 { margin-top: 32px; }
    main:focus, .notice:focus { outline: none; }
    a { color: var(--accent); text-underline-offset: 2px; }
    code, pre, .code { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", "Noto Sans Mono", monospace; }
    code { overflow-wrap: anywhere; }
    .quiet { color: var(--quiet); font-size: 13.5px; }
    :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
    .hidden {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    .skip { position: absolute; left: 8px; top: -60px; padding: 8px 14px; background: var(--raised); z-index: 1; }
    .skip:focus { top: 8px; }

    .top {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 6px 28px;
      margin-bottom: 30px;
      padding: 8px 0 0;
      border-bottom: 1px solid var(--line);
    }
    .brand { display: flex; align-items: center; gap: 9px; padding: 8px 0 10px; font-weight: 650; }
    .top ul { display: flex; flex-wrap: wrap; gap: 4px; }
    .top nav a {
      display: block;
      padding: 8px 12px 10px;
      margin-bottom: -1px;
      color: var(--quiet);
      text-decoration: none;
      border-bottom: 2px solid transparent;
    }
    .top nav a:hover { color: var(--text); }
    .top nav a[aria-current] { color: var(--text); font-weight: 600; border-bottom-color: var(--accent); }

    .heading { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 12px; }
    .actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
    .line { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 8px; }
    .up { margin-bottom: -8px; font-size: 13.5px; }

    button, .button {
      display: inline-block;
      padding: 6px 14px;
      font: inherit;
      font-size: 14px;
      line-height: 1.4;
      color: var(--text);
      text-decoration: none;
      background: var(--raised);
      border: 1px solid var(--field);
      border-radius: 8px;
      cursor: pointer;
    }
    button:hover, .button:hover { border-color: var(--text); }
    .main { color: var(--accent-text); background: var(--accent); border-color: var(--accent); font-weight: 600; }
    .danger { color: var(--bad); border-color: var(--bad); font-weight: 600; }
    .plain { padding: 3px 8px; border-color: transparent; background: none; color: var(--quiet); font-size: 13px; }
    .plain:hover { color: var(--text); }

    .switch {
      flex: none;
      display: flex;
      align-items: center;
      gap: 9px;
      padding: 4px 6px;
      border-color: transparent;
      background: none;
      color: var(--quiet);
    }
    .switch::after {
      content: "";
      width: 38px;
      height: 22px;
      border: 1px solid var(--field);
      border-radius: 11px;
      background: radial-gradient(circle at 10px 50%, var(--quiet) 7px, transparent 7.6px) var(--sunk);
    }
    .switch[aria-checked="true"] { color: var(--text); }
    .switch[aria-checked="true"]::after {
      border-color: var(--accent);
      background: radial-gradient(circle at 26px 50%, var(--accent-text) 7px, transparent 7.6px) var(--accent);
    }

    input, textarea, select {
      font: inherit;
      color: var(--text);
      background: var(--raised);
      border: 1px solid var(--field);
      border-radius: 8px;
      padding: 6px 10px;
      max-width: 100%;
    }
    input:not([type="radio"], [type="checkbox"]), select { min-height: 36px; }
    [hidden] { display: none !important; }
    input[type="radio"], input[type="checkbox"] { accent-color: var(--accent); margin: 4px 0 0; flex: none; }
    input[type="file"] { padding: 5px; font-size: 13.5px; border-style: dashed; }
    ::file-selector-button { margin-inline-end: 10px; padding: 3px 10px; font: inherit; color: var(--text); background: var(--sunk); border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
    ::placeholder { color: var(--quiet); opacity: 1; }
    [aria-invalid] { border-color: var(--bad); }
    textarea { display: block; width: 100%; resize: vertical; }
    textarea.code { white-space: pre; overflow: auto; }
    label, legend { font-weight: 600; font-size: 14px; }
    .choice { display: flex; gap: 8px; font-weight: 400; align-items: flex-start; }
    fieldset { border: 0; display: grid; gap: 6px; }
    fieldset legend { margin-bottom: 6px; padding: 0; }
    .form { display: grid; gap: 20px; max-width: 640px; }
    .field { display: grid; gap: 5px; min-width: 0; }
    .fields { display: flex; flex-wrap: wrap; gap: 14px; }
    .field.grow { flex: 1 1 200px; }
    .short { width: 7em; }
    .unit { display: flex; align-items: center; gap: 8px; }
    .search { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 10px; }
    .search input[type="search"], .search input[inputmode="url"] { flex: 1 1 220px; min-width: 0; }
    .search select { max-width: 220px; }

    .notice { padding: 10px 14px; background: var(--sunk); border-left: 3px solid var(--accent); border-radius: 6px; overflow-wrap: anywhere; }
    .notice.warning { background: var(--warn-ground); border-left-color: var(--warn); }
    .empty { padding: 28px 20px; text-align: center; color: var(--quiet); background: var(--raised); border: 1px solid var(--line); border-radius: 12px; }
    .empty > * + * { margin-top: 10px; }
    .empty h2 { color: var(--text); font-size: 18px; }
    .empty p { max-width: 60ch; margin-inline: auto; }
    .empty pre { display: inline-block; padding: 10px 16px; text-align: left; background: var(--sunk); border-radius: 8px; color: var(--text); max-width: 100%; overflow: auto; }
    .empty .search { justify-content: center; max-width: 560px; margin-inline: auto; }
    .large { font-size: 40px; line-height: 1; }
    .panel { display: grid; gap: 10px; padding: 16px 18px; border: 1px solid var(--line); border-radius: 12px; }
    main > .panel { margin-top: 36px; }
    .panel form, form.panel { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; }

    .cards { display: grid; gap: 12px; }
    .card { display: grid; gap: 12px; padding: 16px 18px; background: var(--raised); border: 1px solid var(--line); border-radius: 12px; }
    .card h2 a { color: var(--text); text-decoration: none; }
    .card h2 a:hover { text-decoration: underline; }
    .card-head { display: flex; align-items: center; gap: 12px; }
    .card-head > div { flex: 1; min-width: 0; }
    .card-foot { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 8px; }
    .emoji { font-size: 28px; line-height: 1; }
    .text { white-space: pre-wrap; overflow-wrap: anywhere; }
    .others { display: grid; gap: 8px; padding: 12px 14px; background: var(--warn-ground); border-radius: 8px; }
    .failure { display: grid; gap: 4px; padding: 12px 14px; background: var(--bad-ground); border-radius: 8px; overflow-wrap: anywhere; }
    .failure strong { color: var(--bad); }

    .facts { display: grid; gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
    .facts > div { display: grid; grid-template-columns: 120px 1fr; gap: 12px; padding: 9px 16px; background: var(--raised); }
    .facts dt { color: var(--quiet); }
    .facts dd { min-width: 0; overflow-wrap: anywhere; }
    .log { max-height: 480px; overflow: auto; padding: 12px 14px; background: var(--sunk); border-radius: 10px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12.5px; }

    .links { border-top: 1px solid var(--line); }
    .link { display: grid; grid-template-columns: 20px 1fr auto; gap: 4px 13px; padding: 13px 4px; border-bottom: 1px solid var(--line); align-items: start; }
    .link .icon { margin-top: 2px; }
    .icon { border-radius: 4px; object-fit: contain; vertical-align: -3px; }
    .icon.none { width: 20px; height: 20px; background: var(--sunk); color: var(--quiet); font-size: 12px; font-weight: 650; line-height: 20px; text-align: center; }
    .link h2 { font-weight: 400; line-height: 1.4; }
    .link h2 a { text-decoration: none; color: var(--quiet); }
    .link h2 a:hover { text-decoration: underline; }
    .link.unread h2, .link.unread h2 a { font-weight: 650; color: var(--text); }
    .link.unread h2::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-inline-end: 7px; border-radius: 4px; background: var(--accent); vertical-align: 1px; }
    .what { min-width: 0; overflow-wrap: anywhere; }
    .link .excerpt { margin-top: 3px; font-size: 14px; color: var(--quiet); display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }

    .wide { overflow-x: auto; }
    table { width: 100%; border-collapse: collapse; }
    caption { text-align: left; padding-bottom: 8px; font-weight: 600; }
    th, td { padding: 9px 10px 9px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); font-weight: 400; }
    thead th { color: var(--quiet); font-size: 13px; }
    tbody th { overflow-wrap: anywhere; min-width: 200px; }
    th.number, td.number { padding-right: 28px; text-align: right; font-variant-numeric: tabular-nums; }
    .fault { color: var(--bad); font-weight: 600; }
    .choices { display: grid; gap: 8px; }
    .choices form { flex-wrap: nowrap; }

    .paging { display: flex; justify-content: center; align-items: center; gap: 18px; padding-top: 8px; }

    .bench { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 28px; align-items: start; }
    .inputs, .outputs, #bench { display: grid; gap: 16px; min-width: 0; }
    #answer > * + * { margin-top: 12px; }
    #answer h3 { margin-top: 22px; }
    #progress:empty { display: none; }
    .verdict { padding: 10px 14px; border-radius: 8px; font-weight: 600; background: var(--sunk); border-left: 3px solid var(--accent); overflow-wrap: anywhere; }
    .verdict.refused { background: var(--bad-ground); border-left-color: var(--bad); }
    .loads, .diagnostics { display: grid; gap: 10px; }
    .load, .diagnostic { display: grid; gap: 6px; padding: 12px 14px; background: var(--raised); border: 1px solid var(--line); border-radius: 10px; overflow-wrap: anywhere; min-width: 0; }
    .decision { display: inline-block; padding: 0 8px; border-radius: 5px; font-weight: 650; font-size: 13px; background: var(--sunk); }
    .decision.blocked { color: var(--bad); background: var(--bad-ground); }
    .decision.changed, .decision.fault { color: var(--warn); background: var(--warn-ground); }
    .decision.loaded { color: var(--accent); }
    .matches { display: grid; gap: 8px; padding-left: 12px; border-left: 2px solid var(--line); font-size: 14px; }
    .matches code { color: var(--quiet); }
    .matches .idle { color: var(--quiet); }
    summary { cursor: pointer; font-size: 13.5px; color: var(--quiet); }
    details[open] > summary { margin-bottom: 4px; }
    .reason { font-size: 13.5px; color: var(--quiet); }
    .diagnostic { border-left-width: 3px; }
    .diagnostic.error { border-left-color: var(--bad); }
    .diagnostic.warning { border-left-color: var(--warn); }
    .diagnostic.note { border-left-color: var(--note); }
    .severity { text-transform: capitalize; }
    .error .severity { color: var(--bad); }
    .warning .severity { color: var(--warn); }
    .note .severity { color: var(--note); }
    pre.excerpt { padding: 8px 10px; background: var(--sunk); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
    mark { color: inherit; background: var(--mark); border-radius: 2px; padding: 1px 0; }

    @media (max-width: 860px) {
      .bench { grid-template-columns: minmax(0, 1fr); }
    }
    @media (max-width: 560px) {
      body { padding-inline: 14px; }
      h1 { font-size: 23px; }
      .top { gap: 0 20px; margin-bottom: 20px; }
      .brand { padding-bottom: 0; }
      .top nav a { padding-inline: 9px; }
      .link { grid-template-columns: 20px 1fr; }
      .link form { grid-column: 2; }
      .link .plain { padding-left: 0; }
      .facts > div { grid-template-columns: 1fr; gap: 0; }
      .card-head { flex-wrap: wrap; }
    }
    @media (forced-colors: active) {
      .switch::after { forced-color-adjust: none; }
    }

    """
}
