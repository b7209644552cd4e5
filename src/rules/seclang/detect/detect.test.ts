import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findScript } from './markup.ts';
import { findSqlInjection } from './sql.ts';

const injections = [
  "1' OR '1'='1",
  "' or 1=1 --",
  '1 OR 1=1',
  "' UNION SELECT 'abcdef',NULL,NULL--",
  '1 union all select user, password from users',
  "1'; DROP TABLE users; --",
  '1 AND SLEEP(5)',
  "1' AND (SELECT 1 FROM t)='1",
  "'; WAITFOR DELAY '0:0:5' --",
  '1/**/UNION/**/SELECT/**/1',
  '1 /*!50000UNION*/ SELECT 1',
  "x' ORDER BY 3 -- ",
  "admin'--",
  'x\' \\ union /* " */ select 1',
  '1; {} drop table users',
];

const prose = [
  "O'Brien and L'Aquila",
  'please select a date from the list',
  'the union of two sets',
  'rock and roll or jazz',
  'I would like to order by phone',
  '1 or 2 cups of flour',
  'drop me a line; select one of these',
  'SELECT is a keyword',
  'C++ and C# -- both are fine',
  'insert coin to continue',
  "it's 5 o'clock; let's go",
  'a=1&b=2',
];

test('findSqlInjection finds what would change a statement, and leaves prose alone', () => {
  for (const value of injections) assert.notEqual(findSqlInjection(value), undefined, value);
  for (const value of prose) assert.equal(findSqlInjection(value), undefined, value);
});

const scripts = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  '" onmouseover="alert(1)',
  "' autofocus onfocus=alert(1) x='",
  '<a href="java&#115;cript:alert(1)">x</a>',
  '<iframe src=//evil.example>',
  '<!doctype html><html>',
  '<a href="java&Tab;script:alert(1)">x</a>',
  '<scr<script>ipt>alert(1)</script>',
  '<scr\0ipt>alert(1)</script>',
  '<img\0src=x\0onerror=alert(1)>',
  '`onmouseover=alert(1) x=`',
  'x onfocus=alert(1)',
  '<?import namespace="t">',
];

const texts = [
  'a < b and c > d',
  'price <100 EUR',
  'x = y on = z',
  'see https://example.com/?a=b',
  '<b>bold</b> and <i>italic</i>',
  'I <3 you',
  'if (a<b) return c;',
  'width < object',
];

test('findScript finds what a browser would run, and leaves other text alone', () => {
  for (const value of scripts) assert.notEqual(findScript(value), undefined, value);
  for (const value of texts) assert.equal(findScript(value), undefined, value);
});
