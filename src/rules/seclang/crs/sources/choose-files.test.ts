import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { chooseFiles } from './choose-files.ts';

const ruleOf = (id: number, version: string): string =>
  `SecRule ARGS "@rx a" "id:${id},phase:2,pass,ver:'OWASP_CRS/${version}'"\n`;

test('chooseFiles takes the version that most rules name, not one of a comment or of a rule that was added later', () => {
  const text = `# An example of a log: OWASP_CRS/3.1.0\n${ruleOf(1, '3.3.0')}${ruleOf(2, '3.3.4')}${ruleOf(3, '3.3.4')}`;
  equal(chooseFiles([{ path: 'rules/REQUEST-1.conf', text }], 'a test').version, '3.3.4');
  equal(chooseFiles([{ path: 'rules/REQUEST-1.conf', text: '# none\n' }], 'a test').version, undefined);
});
