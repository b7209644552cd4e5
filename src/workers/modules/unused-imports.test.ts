import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSource } from './mask.ts';
import { dropUnusedImports } from './unused-imports.ts';

test('maskSource blanks comments and the insides of literals, and keeps every place', () => {
  const cases: [string, string][] = [
    ['a // b "c"\nd', 'a         \nd'],
    ['a /* b\n */ c', 'a     \n    c'],
    ["x = \"// no\" + '\\'/*'", 'x = "     " + \'    \''],
    ['x = `a ${b + `c`} d` // e', 'x = `   {b + ` `}  `     '],
    ['x = /["/*]\\//g.test(y) / 2 // z', 'x = /        g.test(y) / 2     '],
    ['x = `${ {b: 1}.b }` + c', 'x = ` { {b: 1}.b }` + c'],
    ['if (a) b / c // d', 'if (a) b / c     '],
    ['`open', '`   n'],
  ];
  for (const [source, expected] of cases) assert.equal(maskSource(source).code, expected, source);
  assert.equal(maskSource('a("x") // b').commentless, 'a("x")     ');
});

test('dropUnusedImports drops names that occur nowhere else', () => {
  const cases: [string, string][] = [
    ["import { A } from './a';\nA();", "import { A } from './a';\nA();"],
    ["import { A } from './a';\n// A is a type", '\n// A is a type'],
    ["import { A, B } from './a';\nB();", "import { B } from './a';\nB();"],
    ["import { A as X, B as Y } from './a';\nY(A);", "import { B as Y } from './a';\nY(A);"],
    ["import D, { A } from './a';\nD();", "import D from './a';\nD();"],
    ["import D, { A } from './a';\nA();", "import { A } from './a';\nA();"],
    ["import * as N from './a';\n", '\n'],
    ["import D, * as N from './a';\nN.x;", "import * as N from './a';\nN.x;"],
    ["import './a';\n", "import './a';\n"],
    ["import {} from './a'\nx", "import {} from './a'\nx"],
    ["import {\n  A,\n  B, // why\n} from './a';\nB();", "import { B }\n\n\n from './a';\nB();"],
    ["import { A } from './a' with { type: 'json' };\nx", '\nx'],
    ["import { A } from './a';\nexport { A };", "import { A } from './a';\nexport { A };"],
    ["import { A } from './a';\nconst s = `${A}`;", "import { A } from './a';\nconst s = `${A}`;"],
    ["const s = `\nimport { A } from './a';\n`;", "const s = `\nimport { A } from './a';\n`;"],
    ["const a = await import('./a');", "const a = await import('./a');"],
    ["import { A } from './a'; import { B } from './b'; B()", " import { B } from './b'; B()"],
    ["import { A } from './a';\nimport { A2 } from './b';\nA2();", "\nimport { A2 } from './b';\nA2();"],
  ];
  for (const [source, expected] of cases) assert.equal(dropUnusedImports(source), expected);
});
