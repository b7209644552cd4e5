import { type Cases, agent, form, get, header, json, post, query, upload } from '../../testing.ts';

export const knownSoftwareCases: Readonly<Record<string, Cases>> = {
  '100110': {
    hits: [get('/cgi-bin/.%2e/%2e%2e/%2e%2e/bin/sh'), get('/icons/.%%32%65/x'), get('/cgi-bin/%2e%2e/x')],
    misses: [get('/cgi-bin/status'), get('/icons/../a.png')],
  },
  '100110B': { hits: [get('/?unix:AAAA|http://internal.example/')], misses: [get('/?os=unix:linux')] },
  '100043A': {
    hits: [
      get('/index.php?-d+allow_url_include%3d1+-d+auto_prepend_file%3dphp://input'),
      get('/index.php?%ADd+allow_url_include%3d1'),
      get('/?-s'),
    ],
    misses: [get('/?-5'), get('/?sort=-date'), get('/?-summer-sale')],
  },
  '100111': {
    hits: [get('/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php')],
    misses: [get('/docs/phpunit/eval-stdin')],
  },
  '100111B': {
    hits: [
      get('/?s=index/\\think\\app/invokefunction&function=call_user_func_array&vars[0]=system'),
      form({ _method: '__construct', 'filter[]': 'system' }, '/index.php?s=captcha'),
    ],
    misses: [get('/?s=think+different'), get('/?lang=en')],
  },
  '100111C': {
    hits: [
      json(
        { solution: 'Facade\\Ignition\\Solutions\\MakeViewVariableOptionalSolution' },
        '/_ignition/execute-solution',
      ),
    ],
    misses: [get('/_ignition/health-check'), json({ solution: 1 }, '/api/ignition')],
  },
  '100111D': { hits: [header('user-agentt', "zerodiumsystem('id');")], misses: [header('user-agentt', 'x')] },
  '100111E': {
    hits: [form({ email: '"attacker\\" -oQ/tmp/ -X/var/www/x.php  some"@email.example' })],
    misses: [form({ email: '"John Smith" <john@example.com>' }), form('use sendmail -x')],
  },
  '100111F': {
    hits: [get('/index.php/PHP%0Ais_the_shittiest_lang.php?QQQ')],
    misses: [get('/index.php/page/2'), get('/index.php?a=%0A')],
  },
  '100112': {
    hits: [
      get(
        '/autodiscover/autodiscover.json?@evil.example/mapi/nspi/?&Email=autodiscover/autodiscover.json%3F@evil.example',
      ),
      header('cookie', 'X-AnonResource=true; X-AnonResource-Backend=localhost/ecp/default.flt?~3'),
    ],
    misses: [get('/autodiscover/autodiscover.json/v1.0/'), header('cookie', 'X-BackEndCookie=1')],
  },
  '100112B': {
    hits: [
      post('/_layouts/15/ToolPane.aspx?DisplayMode=Edit', 'application/x-www-form-urlencoded', 'a=b', {
        referer: '/_layouts/SignOut.aspx',
      }),
      get('/_layouts/15/spinstall0.aspx'),
    ],
    misses: [get('/_layouts/15/start.aspx'), form('x', '/_layouts/15/ToolPane.aspx')],
  },
  '100112C': {
    hits: [get('/default.asp::$DATA'), get('/*~1*/.aspx')],
    misses: [get('/default.aspx'), get('/~user/')],
  },
  '100113': {
    hits: [get('/vpn/../vpns/cfg/smb.conf'), get(`/gwtest/formssso?event=start&target=${'A'.repeat(300)}`)],
    misses: [get('/vpn/index.html'), get('/gwtest/formssso?target=a')],
  },
  '100113B': {
    hits: [
      get('/tmui/login.jsp/..;/tmui/locallb/workspace/fileRead.jsp'),
      post('/mgmt/tm/util/bash', 'application/json', '{}', { connection: 'keep-alive, X-F5-Auth-Token' }),
    ],
    misses: [get('/tmui/login.jsp'), get('/mgmt/tm/sys', { connection: 'keep-alive' })],
  },
  '100113C': {
    hits: [
      get('/remote/fgt_lang?lang=/../../../..//////////dev/cmdb/sslvpn_websession'),
      get('/api/v2/cmdb/system/admin/admin', { 'user-agent': 'Report Runner' }),
    ],
    misses: [get('/remote/fgt_lang?lang=en'), get('/api/v2/users')],
  },
  '100113D': {
    hits: [
      get('/dana-na/../dana/html5acc/guacamole/../../../etc/passwd?/dana/html5acc/guacamole/'),
      get('/api/v1/totp/user-backup-code/../../system/maintenance'),
      get('/mifs/aad/api/v2/authorized/users'),
    ],
    misses: [get('/dana-na/auth/url_default/welcome.cgi'), get('/api/v1/totp/user')],
  },
  '100113E': {
    hits: [
      get('/ui/vropspluginui/rest/services/uploadova'),
      get('/catalog-portal/ui/oauth/verify?deviceUdid=%24%7B7%7D'),
    ],
    misses: [get('/ui/login'), get('/catalog-portal/ui/oauth/verify?code=1')],
  },
  '100113F': {
    hits: [
      header('cookie', 'SESSID=/../../../var/appweb/x'),
      header('x-pan-authcheck', 'off'),
      json({ command: 'setWanPortSt', mtu: '; id' }, '/ztp/cgi-bin/handler'),
    ],
    misses: [header('cookie', 'SESSID=abc123'), header('x-pan-authcheck', 'on')],
  },
  '100114': {
    hits: [
      get('/human2.aspx'),
      post('/moveitisapi/moveitisapi.dll?action=m2', 'text/plain', 'x', {
        'x-silock-transaction': 'folder_add_by_path',
      }),
    ],
    misses: [get('/human.aspx'), get('/moveitisapi/moveitisapi.dll?action=capa')],
  },
  '100114B': { hits: [get('/SetupWizard.aspx/x')], misses: [get('/SetupWizard.aspx'), get('/setup')] },
  '100114C': {
    hits: [query('<INCLUDE>/etc/passwd</INCLUDE>'), get('/goanywhere/lic/accept')],
    misses: [query('<include>header</include>'), get('/apps/files/')],
  },
  '100115': {
    hits: [get('/public/plugins/alertlist/../../../../etc/passwd')],
    misses: [get('/public/plugins/alertlist/module.js')],
  },
  '100115B': {
    hits: [
      get('/api/console/api_server?apis=../../../etc/passwd'),
      json({ script_fields: { x: { script: 'java.lang.Math.class.forName("x")' } } }, '/_search'),
    ],
    misses: [json({ query: { match: { title: 'java' } } }, '/_search')],
  },
  '100116': {
    hits: [
      upload(
        'x.mvg',
        "push graphic-context\nviewbox 0 0 1 1\nfill 'url(https://x.example/|ls \"-la)'\npop graphic-context",
      ),
      upload('x.eps', '%!PS\n/OutputFile (%pipe%id) def'),
    ],
    misses: [
      upload('x.svg', '<svg><image xlink:href="a.png"/></svg>'),
      upload('x.eps', '%!PS-Adobe-3.0\n/Times findfont'),
    ],
  },
  '100116B': {
    hits: [upload('x.jpg', 'AT&TFORM DJVUINFO ANTa (metadata "\\c${system(id)}")')],
    misses: [upload('x.djvu', 'AT&TFORM DJVUINFO ANTz')],
  },
  '100117': {
    hits: [
      post(
        '/GponForm/diag_Form?images/',
        'application/x-www-form-urlencoded',
        'XWebPageName=diag&dest_host=`busybox wget`',
      ),
      get('/cgi-bin/luci/;stok=/locale?form=country&operation=write&country=$(id)'),
    ],
    misses: [get('/cgi-bin/luci/'), get('/HNAP1/')],
  },
  '100118': {
    hits: [header('accept', '../../../../etc/passwd{{')],
    misses: [header('accept', 'text/html,*/*')],
  },
  '100118B': {
    hits: [
      header('x-middleware-subrequest', 'middleware:middleware:middleware'),
      header('x-middleware-subrequest', 'pages/_middleware'),
    ],
    misses: [header('x-middleware-rewrite', '/a'), json({ _response: 1 })],
  },
  '100118C': {
    hits: [get('/?settings[view%20options][outputFunctionName]=x;process')],
    misses: [get('/?settings[view]=list')],
  },
  '100119': {
    hits: [
      post('/Autodiscover/Autodiscover.xml', 'text/xml', '<!DOCTYPE x [<!ENTITY y "z">]>'),
      form({ _from: 'x -OQueueDirectory=/tmp' }),
    ],
    misses: [
      post('/Autodiscover/Autodiscover.xml', 'text/xml', '<Autodiscover/>'),
      form({ _from: 'a@b.example' }),
    ],
  },
  '100120': {
    hits: [
      json({ Image: 'alpine' }, '/v1.24/containers/create'),
      json({ check: { args: ['sh'] } }, '/v1/agent/service/register'),
    ],
    misses: [get('/containers'), json({ name: 'x' }, '/v1/agent/service/register')],
  },
  '100121': {
    hits: [
      json({ code: "@exec('raise Exception')\ndef f(): pass" }, '/api/v1/validate/code'),
      json({ entrypoint: 'bash -c id' }, '/api/jobs/'),
    ],
    misses: [
      json({ code: 'def f(): return 1' }, '/api/v1/validate/code'),
      json({ entrypoint: 'python train.py' }, '/api/jobs/'),
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
