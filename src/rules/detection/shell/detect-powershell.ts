/** PowerShell: its commands consist of verbs and nouns, unlike any other text. */
import type { Detector, DetectorReading } from '../finding.ts';
import { Shapes } from '../shapes.ts';

const shapes = new Shapes([
  [/\b(?:get-content|gc)\s+[a-z]:\\/i, 88, 'PowerShell that reads a file'],
  [/\[(?:system\.)?convert\]::frombase64|\|\s{0,9}iex\b/i, 92, 'PowerShell that runs a text'],
  [
    /\bp(?:ower|w)sh(?:ell)?(?:\.exe)?\s{1,40}(?:-\w{1,40}\s{1,40}(?:\w{1,80}\s{0,40})?){0,6}-(?:e(?:nc\w*)?\s|c(?:ommand)?\b|w\w*\s+h)/i,
    93,
    'PowerShell with a command',
  ],
  [/\b(?:iex|invoke-expression)\s*[(\s$"']/i, 90, 'PowerShell that runs a text'],
  [/new-object\s+(?:system\.)?net\.(?:webclient|sockets)/i, 94, 'PowerShell that opens a connection'],
  [/\.download(?:string|file|data)\s*\(/i, 88, 'PowerShell that loads a file'],
  [
    /\b(?:invoke-(?:webrequest|restmethod|command|item)|start-process|start-sleep|get-(?:content|childitem|process|wmiobject))\s+[-"'$(\w]/i,
    60,
    'a command of PowerShell',
  ],
  [/\[system\.(?:net|io|reflection|text|diagnostics)[\w.]*\]::/i, 86, 'a class of .NET in PowerShell'],
]);

export const detectPowerShell: Detector = (text) => {
  for (const [shape, confidence, why] of shapes.in(text)) {
    const found = shape.exec(text);
    if (found === null) continue;
    const reading: DetectorReading = {
      confidence,
      why,
      start: found.index,
      end: found.index + found[0].length,
    };
    // A line from installation instructions, and a script of several lines.
    const isOwn = /^\s*(?:Set-ExecutionPolicy\b|(?:Write-Host\b|\$\w+\s*=)[^\n]*\n)/i.test(text);
    return isOwn ? { ...reading, confidence: Math.min(confidence, 60) } : reading;
  }
  return undefined;
};
