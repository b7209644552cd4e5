import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropUnusedImports } from './unused-imports.ts';

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

test('dropUnusedImports knows code from comments, strings, templates and regular expressions', () => {
  const used = [
    'if (x) /[/*]/.test(y); A(); /* b */',
    'x = /["/*]\\//g.test(y) / 2; A() // z',
    'x = `a ${b + `${A}`} d` // e',
    'x = `${ {b: 1}.b }` + A',
    'x = \'// no\' + A + "/*"',
    'if (a) b / c / A',
  ];
  for (const code of used) {
    const source = `import { A } from './a';\n${code}`;
    assert.equal(dropUnusedImports(source), source);
  }
  const unused = ['a // b "c" A', 'a /* A\n */ b', 'x = "A" + `A` + /A/.source'];
  for (const code of unused)
    assert.equal(dropUnusedImports(`import { A } from './a';\n${code}`), `\n${code}`);
});

test('dropUnusedImports leaves what it cannot read to Node', () => {
  const source = "import { A } from './a';\nexport const = ;";
  assert.equal(dropUnusedImports(source), source);
});
