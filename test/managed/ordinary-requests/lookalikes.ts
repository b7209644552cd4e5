/** Requests that look more like an attack than others do: talk among developers, names of arguments, technical values. */
import { api, each, page, search } from './request.ts';

const searches = [
  'javascript: new features in es2024',
  'javascript: this keyword explained',
  'javascript: document object model',
  'document.cookie javascript',
  'element.innerHTML = vs textContent',
  'window.location = not working',
  "alert('hello') not working",
  'eval("1+1") in python',
  'nashorn javascript engine removed',
  'xp_cmdshell disabled by default',
  'load_file "config.rb" ruby',
  'driving licence; id',
  'work 8; sleep 8; play 8',
  'name|id|email',
  'bash $IFS variable',
  'highlight operating system',
  '0x52908400098527886E0F7030069857D2E4169EE7 and gas',
];

const pages = [
  '/list?fields=name|id&sort=name|asc',
  '/planner?view=week&tasklist=5&type=open',
  '/api/articles?filters[title][$eq]=hello&filters[price][$gt]=10&populate=*',
  '/api/messages?age[$gt]=5&$limit=10&$sort[createdAt]=-1',
  '/viewtopic.php?t=1&highlight=operating+system',
  '/downloads/archive-2024.tar.gz',
  '/files/data.tar.gz',
  '/docs/kubeconfig',
  '/docs/error_log',
  '/api/credentials.json',
  '/management/refresh',
  '/downloader/',
  '/config.txt',
  '/@scope/pkg/-/pkg-1.0.0.tgz',
  '/search?type=cat&id',
  '/q?a=1&env&pwd',
];

const comments = [
  'Two lists in one: SELECT name, price FROM a UNION SELECT name, price FROM b;',
  '```sql\nSELECT id, name FROM a WHERE id = 5\nUNION ALL\nSELECT id, name FROM b;\n```',
  'SELECT * FROM t WHERE x = 5 AND (SELECT COUNT(*) FROM y WHERE y.id = t.id) > 0',
  'SELECT length(password), left(user, 3) FROM accounts WHERE active = 1',
  "if (mode === 'dark' && this.ready) { render(); } else { return true; }",
  'db.users.find({ age: { $gt: 18 } }).sort({ name: 1 })',
  'Foo.prototype.constructor = Foo; console.log(foo.constructor.prototype);',
  '\tat org.springframework.context.support.ClassPathXmlApplicationContext.<init>(ClassPathXmlApplicationContext.java:85)\n\tat com.mchange.v2.c3p0.impl.NewProxyConnection.close(NewProxyConnection.java:11)\n\tat com.sun.org.apache.xalan.internal.xsltc.trax.TransformerImpl.transform(TransformerImpl.java:1)',
  'Please review and send it to 0x52908400098527886E0F7030069857D2E4169EE7 or use the card.',
  'df = load_file("data.csv"); df2 = load_file(\'b.csv\')',
  "Set-ExecutionPolicy Bypass -Scope Process -Force; iex ((New-Object System.Net.WebClient).DownloadString('https://community.chocolatey.org/install.ps1'))",
  'powershell -NoProfile -ExecutionPolicy Bypass -File .\\build.ps1',
  'package.json: "start": "cmd /c echo hi && node ."',
  "const { exec } = require('child_process'); exec('git status');",
  "<?php\n$name = preg_replace('/[^a-z]/', '', $_POST['name']);\necho htmlspecialchars($name);",
  'IFS=$\'\\n\'; echo "$IFS" splits words by lines',
  "Dear {{var customer.name}}, log in at {{var this.getUrl($store, 'customer/account/')}}",
  'Kotlin: Foo::class.java.classLoader.getResource("x"), Java: Foo.class.getClassLoader()',
  'Is xp_cmdshell still a thing? And what about sp_executesql?',
  'SELECT floor(rand() * 10) FROM generate_series(1, 5)',
];

export const lookalikes = [
  ...each('lookalike in a search', searches, search),
  ...each('lookalike in a URL', pages, (url, index) => page(`https://www.example.com${url}`, index)),
  ...each('lookalike in a comment', comments, (body, index) =>
    api(`/api/threads/${index}/comments`, { body }, index),
  ),
  ...each(
    'JSON with escaped apostrophes',
    ['{"html":"it\\u0027s a first-class \\u003cb\\u003eclass\\u003c/b\\u003e"}'],
    (body, index) => api('/api/pages', body, index),
  ),
  ...each('header of two proxies', ['a.example, b.example'], (value, index) => {
    const request = page('https://www.example.com/', index);
    return {
      ...request,
      headers: { ...(request.headers as Record<string, string>), 'x-forwarded-host': value },
    };
  }),
];
