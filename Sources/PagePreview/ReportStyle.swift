/// The style sheet of the report, for light and dark.
enum ReportStyle {
  static let sheet = """
    :root { color-scheme: light dark; --back: #f6f7f9; --card: #fff; --text: #1c1e21; --faint: #5f6670;
      --line: #dde1e6; --red: #b3261e; --redback: #fdeceb; --green: #146c43; --amber: #8a5300;
      --outline: #d6219c; }
    @media (prefers-color-scheme: dark) { :root { --back: #14161a; --card: #1e2127; --text: #e8eaed;
      --faint: #a2a9b4; --line: #343a43; --red: #ff8a80; --redback: #3a1f20; --green: #7ddba3;
      --amber: #f2c078; --outline: #ff6ac8; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--back); color: var(--text);
      font: 15px/1.45 system-ui, "Liberation Sans", sans-serif; }
    main { max-width: 1400px; margin: 0 auto; padding: 24px; }
    h1 { margin: 0 0 4px; font-size: 24px; overflow-wrap: anywhere; }
    h2 { font-size: 18px; margin: 28px 0 8px; }
    header p { margin: 2px 0; color: var(--faint); }
    .url { overflow-wrap: anywhere; }
    code { font: 13px ui-monospace, "Liberation Mono", monospace; overflow-wrap: anywhere; }
    .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 12px;
      margin: 20px 0; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
      padding: 12px 14px; display: grid; align-content: start; gap: 2px; }
    .card span, .card small { color: var(--faint); }
    .card b { font-size: 24px; }
    .notes { color: var(--amber); }
    .pictures { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; align-items: start; }
    figure { margin: 0; min-width: 0; }
    figcaption { font-weight: 600; margin-bottom: 6px; }
    figcaption small { font-weight: 400; color: var(--faint); }
    .picture { position: relative; overflow: hidden; border: 1px solid var(--line); border-radius: 8px; }
    .picture img { display: block; width: 100%; height: auto; }
    .box { position: absolute; outline: 2px solid var(--outline); outline-offset: -2px;
      background: rgb(214 33 156 / 12%); overflow: hidden; }
    .box span { position: absolute; left: 2px; top: 2px; max-width: calc(100% - 4px); padding: 0 4px;
      background: #8f0d63; color: #fff; font: 11px/1.4 ui-monospace, monospace; white-space: nowrap;
      overflow: hidden; text-overflow: ellipsis; border-radius: 3px; }
    table { width: 100%; border-collapse: collapse; background: var(--card);
      border: 1px solid var(--line); }
    th, td { text-align: left; vertical-align: top; padding: 6px 10px;
      border-bottom: 1px solid var(--line); }
    th { color: var(--faint); font-weight: 600; }
    .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
    td small { display: block; color: var(--faint); overflow-wrap: anywhere; }
    .requests td:nth-child(2) { white-space: nowrap; }
    .fate { white-space: nowrap; font-weight: 600; }
    .blocked { background: var(--redback); } .blocked .fate { color: var(--red); }
    .loaded .fate { color: var(--green); font-weight: 400; }
    .spared .fate, .changed .fate { color: var(--amber); }
    @media (max-width: 760px) { .pictures { grid-template-columns: 1fr; } main { padding: 12px; }
      .requests td:nth-child(2), .requests th:nth-child(2) { display: none; } }
    """
}
