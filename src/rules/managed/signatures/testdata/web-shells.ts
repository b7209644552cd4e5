import { type Cases, agent, form, get, query, upload } from '../../testing.ts';

export const webShellsCases: Readonly<Record<string, Cases>> = {
  '100039': {
    hits: [get('/uploads/c99.php'), get('/wso2.5.php'), get('/images/shell.php'), get('/cmd.jsp')],
    misses: [get('/seashell.php'), get('/c99/standard.pdf'), get('/shell'), get('/docs/cmd.html')],
  },
  '100039B': {
    hits: [
      form('<?php eval($_POST["x"]); ?>'),
      form('<?=system($_GET[0])?>'),
      query('eval($_REQUEST[c])'),
      upload('a.txt', '<?php $a=base64_decode("eA=="); eval(base64_decode($x));'),
    ],
    misses: [form('<?php echo "Hello, world"; ?>'), form('In PHP, $_POST holds the form and eval is evil')],
  },
  '100039C': {
    hits: [
      form({ pass: '@eval(base64_decode($_POST[z0]));', z0: 'QGluaV9zZXQ' }),
      form({ z0: 'QGluaV9zZXQoImRpc3BsYXk' }),
    ],
    misses: [form({ email: 'me@evaluate.example' }), form({ z0: '1' })],
  },
  '100039D': {
    hits: [form('<%eval request("cmd")%>'), form('<% Set s = CreateObject("WScript.Shell") %>')],
    misses: [form('<%= request.user.name %>'), form('<% eval %>')],
  },
  '100039E': {
    hits: [
      form('<% Runtime.getRuntime().exec(request.getParameter("c")); %>'),
      form('<%!class U extends ClassLoader{ }%>'),
    ],
    misses: [form('Runtime.getRuntime().exec("ls") starts a process'), form('<% out.println("hi"); %>')],
  },
  '100040': {
    hits: [
      upload('shell.php', 'x'),
      upload('a.phtml', 'x'),
      upload('.htaccess', 'x'),
      upload('x.asp;', 'x'),
      upload('x.php.', 'x'),
    ],
    misses: [upload('photo.jpg', 'x'), upload('notes-on-php.pdf', 'x'), upload('php', 'x')],
  },
  '100040B': {
    hits: [upload('x.php.jpg', 'x'), upload('x.asp;.jpg', 'x')],
    misses: [upload('holiday.2024.jpg', 'x'), upload('report.aspects.pdf', 'x')],
  },
  '100040C': {
    hits: [upload('x.gif', 'GIF89a\x01\x01<?php echo 1; ?>', 'image/gif')],
    misses: [
      upload('x.gif', 'GIF89a\x01\x01<?xpacket begin="x"?>', 'image/gif'),
      upload('a.txt', '<?php echo 1;'),
    ],
  },
  '100040D': {
    hits: [upload('../../evil.txt', 'x'), upload('/etc/cron.d/x', 'x')],
    misses: [upload('a..b.txt', 'x'), upload('C:\\fakepath\\photo.jpg', 'x')],
  },
  '100041': {
    hits: [query("system('id')"), get('/?c=phpinfo()'), query('${eval($x)}')],
    misses: [query('operating system (linux)'), query('exec (film)'), query('phpinfo')],
  },
  '100041B': {
    hits: [get('/?GLOBALS[x]=1'), get('/?_SERVER[DOCUMENT_ROOT]=http://x'), query('$_GET[a]')],
    misses: [query('globals in php'), get('/?filter[_get]=1'), agent('x')],
  },
};
