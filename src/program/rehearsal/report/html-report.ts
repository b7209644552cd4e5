/**
 * A report as one page that loads nothing: its style is inline, it has no script, and a policy forbids everything else.
 * Text from requests and rules is escaped.
 */
import { createHash } from 'node:crypto';
import { changeKinds, changeTitles, type Outcome } from '../outcome.ts';
import { drawBars, drawTimeSlices, drawVerdicts } from './charts.ts';
import { html, Html } from './html-text.ts';
import type { ComparedChange, ProvenSuggestion, RehearsalReport, RuleChanges } from './report.ts';

/** A page with more rows is slow to open; the JSON report has all of them. */
const rowsMax = 1_000;

const style = `
:root { color-scheme: light dark; --ink: #1d2430; --dim: #59636f; --line: #d8dde4; --paper: #fff; --before: #64748b; --after: #b45309; --all: #cbd5e1 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --dim: #a3adba; --line: #333c48; --paper: #14181e; --before: #94a3b8; --after: #f59e0b; --all: #3b4654 } }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
p { margin: .3rem 0 } .dim { color: var(--dim) } .big { font-size: 1.15rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line) }
td.number, th.number { text-align: right } code, pre { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap }
.scroll { overflow-x: auto } svg { width: 100%; height: auto } svg text { font: 13px system-ui, sans-serif; fill: var(--ink) }
rect.before { fill: var(--before) } rect.after { fill: var(--after) } rect.all { fill: var(--all) }
details { margin: .4rem 0 } summary { cursor: pointer }
`;

/** As a single string: its hash covers every character between the tags. */
const styleElement = new Html(`<style>${style}</style>`);

export function writeHtmlReport(report: RehearsalReport): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'`;
  const title = `Rehearsal of ${report.zone.name}`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        ${writeSummary(report)} ${writeCharts(report)} ${writeScores(report)} ${writeSuggestions(report)}
        ${writeRules(report)} ${writePaths(report)} ${writeNotes(report)} ${writeChanges(report)}
      </body>
    </html> `;
  return page.text;
}

function writeSummary({ zone, traffic, changed, madeAt }: RehearsalReport): Html {
  const counts = changeKinds.map((kind) => `${changed[kind]} ${changeTitles[kind]}`).join(', ');
  return html`<header>
    <h1>Rehearsal of ${zone.name}</h1>
    <p class="big">${changed.total} of ${traffic.requests} requests change: ${counts}.</p>
    <p class="dim">
      Plan ${zone.plan}. Traffic: ${traffic.file}, ${traffic.from} to ${traffic.to}. Made ${madeAt}. The zone
      itself was not touched.
    </p>
  </header>`;
}

function writeCharts(report: RehearsalReport): Html {
  const bars = changeKinds.map((kind) => ({
    label: changeTitles[kind],
    value: report.changed[kind],
    style: 'after',
  }));
  return html`<section>
    <h2>What changes</h2>
    ${drawBars('Changed requests by kind', bars)}
    <h2>Verdicts before and after</h2>
    ${drawVerdicts(report)}
    <h2>Over time</h2>
    ${drawTimeSlices(report.overTime)}
  </section>`;
}

function writeRules({ byRule }: RehearsalReport): Html {
  if (byRule.length === 0)
    return html`<section>
      <h2>By rule</h2>
      <p>No verdict changes.</p>
    </section>`;
  return html`<section>
    <h2>By rule</h2>
    ${byRule.slice(0, rowsMax).map(writeRule)}
  </section>`;
}

function writeRule({ kind, rule, count, paths, examples }: RuleChanges): Html {
  return html`<details>
    <summary>
      ${count} ${changeTitles[kind]} on ${paths} ${paths === 1 ? 'path' : 'paths'}: ${rule.description}
      <code>${rule.source} ${rule.id}</code>
    </summary>
    ${writeChangeTable(examples)}
  </details>`;
}

function writePaths({ byPath }: RehearsalReport): Html {
  if (byPath.length === 0) return html``;
  const rows = byPath.slice(0, rowsMax).map(
    (path) =>
      html`<tr>
        <td><code>${path.path}</code></td>
        ${changeKinds.map((kind) => html`<td class="number">${path[kind]}</td>`)}
      </tr>`,
  );
  const heads = changeKinds.map((kind) => html`<th class="number">${changeTitles[kind]}</th>`);
  return html`<section>
    <h2>By path</h2>
    ${writeTable([html`<th>path</th>`, ...heads], rows)}
  </section>`;
}

function writeScores({ scores }: RehearsalReport): Html {
  if (scores === null) return html``;
  const { planned, thresholds, levels } = scores;
  const mark = (value: number, plan: number): string => (value === plan ? `${value} (planned)` : `${value}`);
  const rows = levels.map(
    ({ level, stopped, unconfirmed }) =>
      html`<tr>
        <td>${mark(level, planned.level)}</td>
        ${thresholds.map((_, index) => html`<td class="number">${stopped[index]!} (${unconfirmed[index]!})</td>`)}
      </tr>`,
  );
  const heads = thresholds.map((each) => html`<th class="number">${mark(each, planned.threshold)}</th>`);
  return html`<section>
    <h2>OWASP scores</h2>
    <p>
      Requests that only the score stops, by paranoia level and threshold; in brackets those that no detector
      considers an attack. Planned: level ${planned.level}, threshold ${planned.threshold}, ${planned.action}.
    </p>
    ${writeTable([html`<th>level</th>`, ...heads], rows)}
  </section>`;
}

function writeSuggestions({ suggestions, changed, changedWithSuggestions }: RehearsalReport): Html {
  if (changed.total === 0) return html``;
  const nothing = html`<p>No override was found that helps without harm in a replay.</p>`;
  const found =
    changedWithSuggestions === null
      ? nothing
      : html`<p>
            With all of them, a second replay shows ${changedWithSuggestions.total} changes instead of
            ${changed.total}, and no request that was treated alike changes.
          </p>
          ${suggestions.map(writeSuggestion)}`;
  return html`<section>
    <h2>Suggested overrides</h2>
    ${found}
  </section>`;
}

function writeSuggestion({ title, restored, edit }: ProvenSuggestion): Html {
  const json = JSON.stringify(edit.kind === 'override' ? edit.overrides : edit.rule, undefined, 2);
  const place =
    edit.kind === 'override'
      ? `Add to the overrides.rules of the rule that executes ${edit.rulesetId}:`
      : 'Put before the execute rules:';
  return html`<details>
    <summary>${title}: ${restored} requests as before</summary>
    <p>${place}</p>
    <pre>${json}</pre>
  </details>`;
}

function writeNotes({ losses, remarks }: RehearsalReport): Html {
  const lost = losses.map(({ code, message }) => html`<li>${message} (${code})</li>`);
  return html`<section>
    <h2>Lost in the migration</h2>
    ${
      lost.length === 0
        ? html`<p>Nothing.</p>`
        : html`<ul>
            ${lost}
          </ul>`
    }
    <h2>Remarks</h2>
    <ul>
      ${remarks.map((remark) => html`<li>${remark}</li>`)}
    </ul>
  </section>`;
}

function writeChanges({ changes, changed }: RehearsalReport): Html {
  if (changes.length === 0) return html``;
  const shown = changes.slice(0, rowsMax);
  const cut =
    shown.length < changed.total ? html`<p>The first ${shown.length} of ${changed.total}.</p>` : html``;
  return html`<section>
    <h2>The requests behind it</h2>
    ${cut}${writeChangeTable(shown)}
  </section>`;
}

function writeChangeTable(changes: readonly ComparedChange[]): Html {
  const rows = changes.map(({ request, before, after }) => {
    const query = request.query === '' ? '' : `?${request.query}`;
    return html`<tr>
      <td class="number">${request.number}</td>
      <td>
        <code>${request.method} ${request.path}${query}</code><br /><span class="dim"
          >${request.time} ${request.ip} ${request.userAgent}</span
        >
      </td>
      <td>${writeOutcome(before)}</td>
      <td>${writeOutcome(after)}</td>
    </tr>`;
  });
  const heads = ['request', 'before', 'after'].map((head) => html`<th>${head}</th>`);
  return writeTable([html`<th class="number">#</th>`, ...heads], rows);
}

function writeTable(heads: readonly Html[], rows: readonly Html[]): Html {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function writeOutcome({ action, rule, score }: Outcome): Html {
  const total = score === undefined ? '' : ` (score ${score.total} of ${score.threshold})`;
  return html`${action}${total}<br /><span class="dim">${rule?.description ?? ''}</span>`;
}
