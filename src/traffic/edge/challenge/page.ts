/** The challenge page: says why it is shown, solves the puzzle, sends the solution, and loads the requested page. */
import { hash } from 'node:crypto';
import type { ChallengeKind } from '#rulesets';
import { escapeHtml } from '../wire/edge-response.ts';
import { puzzleBits } from './limits.ts';
import { pageScript } from './page-script.ts';

/** Where the page sends its solution, in every zone. */
export const solutionPath = '/cdn-cgi/gatehouse/challenge';

const style = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:15vh auto;padding:0 1em;color:#222;background:#fff;overflow-wrap:anywhere}
small{color:#595959}
button{font:inherit;padding:.5em 1em}
@media(prefers-color-scheme:dark){body{color:#eee;background:#181818}small{color:#b0b0b0}}
`;

/** Only the page's own script runs, and nothing is loaded from other places. */
export const pagePolicy = [
  "default-src 'none'",
  `script-src ${hashSource(pageScript)}`,
  `style-src ${hashSource(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

export function renderChallengePage(options: {
  readonly kind: ChallengeKind;
  readonly puzzle: string;
  readonly host: string;
  readonly rayId: string;
}): string {
  const { kind, puzzle, host, rayId } = options;
  // The oldest kind requires a click; the others start automatically.
  const isInteractive = kind === 'challenge';
  const text = isInteractive
    ? 'Confirm that you are human to go on.'
    : 'Checking that this is a browser. This takes a moment.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="robots" content="noindex,nofollow">
<meta name="viewport" content="width=device-width">
<title>One moment: ${escapeHtml(host)}</title>
<style>${style}</style>
</head>
<body>
<main id="challenge" data-puzzle="${escapeHtml(puzzle)}" data-bits="${puzzleBits[kind]}" data-path="${solutionPath}">
<h1>${escapeHtml(host)}</h1>
<p id="state" role="status">${text}</p>
${isInteractive ? '<p><button type="button" id="start">I am human</button></p>' : ''}
<noscript><p>This page needs JavaScript to go on.</p></noscript>
<p><small>Request ${escapeHtml(rayId)}</small></p>
</main>
<script>${pageScript}</script>
</body>
</html>
`;
}

function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}
