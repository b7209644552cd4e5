/** The page that stands in the way: says why, works on the puzzle, sends the solution, and loads what was asked for. */
import type { ChallengeKind } from '#firewall';
import { puzzleBits } from './limits.ts';

/** Where the page sends its solution, on every zone. */
export const solutionPath = '/cdn-cgi/gatehouse/challenge';

export function challengePage(options: {
  readonly kind: ChallengeKind;
  readonly puzzle: string;
  readonly host: string;
  readonly rayId: string;
}): string {
  const { kind, puzzle, host, rayId } = options;
  // The oldest kind asks a person to do something; the others look on by themselves.
  const isInteractive = kind === 'challenge';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex,nofollow">
<meta name="viewport" content="width=device-width">
<title>One moment</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:15vh auto;padding:0 1em;color:#222}small{color:#666}button{font:inherit;padding:.5em 1em}</style>
<h1>${escapeHtml(host)}</h1>
<p id="state">${isInteractive ? 'Confirm that you are human to go on.' : 'Checking that this is a browser. This takes a moment.'}</p>
${isInteractive ? '<p><button id="start">I am human</button></p>' : ''}
<noscript><p>This page needs JavaScript to go on.</p></noscript>
<p><small>Request ${escapeHtml(rayId)}</small></p>
<script type="module">
const puzzle=${JSON.stringify(puzzle)},bits=${puzzleBits},state=document.getElementById('state');
async function solve(){const encoder=new TextEncoder();for(let number=0;;number++){
const digest=new DataView(await crypto.subtle.digest('SHA-256',encoder.encode(puzzle+':'+number)));
if(digest.getUint32(0)>>>(32-bits)===0)return number}}
async function pass(){state.textContent='Checking …';const solution=await solve();
const answer=await fetch(${JSON.stringify(solutionPath)},{method:'POST',headers:{'content-type':'application/x-www-form-urlencoded'},body:new URLSearchParams({puzzle,solution})});
if(answer.ok)location.reload();else state.textContent='That did not work. Load the page again.'}
${isInteractive ? "document.getElementById('start').addEventListener('click',pass,{once:true})" : 'pass()'}
</script>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
