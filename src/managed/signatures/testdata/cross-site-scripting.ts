import { type Cases, form, get, header, json, query } from '../../testing.ts';

export const crossSiteScriptingCases: Readonly<Record<string, Cases>> = {
  '100173': {
    hits: [
      query('<script>alert(1)</script>'),
      get('/%3CsCrIpT%20src=//evil.example/x.js%3E'),
      get('/?q=%253Cscript%253E'),
      get('/?q=%u003Cscript%u003E'),
      form('</ScRiPt ><script/x>'),
      post('{"text":"\\u003cscript\\u003ealert(1)\\u003c/script\\u003e"}'),
    ],
    misses: [query('script tag'), query('<scripture>'), form('a manuscript <b>bold</b>')],
  },
  '100173B': {
    hits: [get('/?q=%3Cscript'), get('/?q=%3Cscript&b=1')],
    misses: [query('i < script writers')],
  },
  '100021': {
    hits: [
      query('<img src=x onerror=alert(1)>'),
      query('<svg/onload=alert(1)>'),
      form('<a href="#" onmouseover="steal()">'),
      json({ html: '<body onload=alert(1)>' }),
      get('/?q=%3Cvideo%20OnPlay%3D%22x%22'),
    ],
    misses: [query('a < b and onward = 1'), form('<p>on load = heavy</p>'), form('<option only="x">')],
  },
  '100021B': {
    hits: [query('" onfocus=alert(1) autofocus x="'), query("' onmouseover='document.x")],
    misses: [query('"on click" = "yes"'), query("it's on")],
  },
  '100022': {
    hits: [
      query('javascript:alert(1)'),
      query('java\tscript:eval(x)'),
      get('/?next=JaVaScRiPt:%2F%2Fx%0aalert(1)'),
    ],
    misses: [
      query('javascript: new features'),
      query('javascript: the good parts'),
      query('learn javascript'),
    ],
  },
  '100022B': {
    hits: [form('<a href="javascript:alert(1)">x</a>'), json({ html: "<a href='java\nscript:fetch(x)'>" })],
    misses: [form('<a href="javascript:void(0)">menu</a>'), form('JavaScript: alert the user')],
  },
  '100023': {
    hits: [form('<a href="j&#97;v&#x61;script:alert(1)">'), query('<a href=java&Tab;script:alert(1)>')],
    misses: [form('<a href="/a?b=1&amp;c=2">x</a>'), form('<a href="/it&#39;s">x</a>')],
  },
  '100024': {
    hits: [
      query('<iframe srcdoc="x">'),
      form('<iframe src="javascript:alert(1)">'),
      form('<base href="//evil.example/">'),
      json({ h: '<meta http-equiv="refresh" content="0;url=//x">' }),
      query('<svg><animate xlink:href=#x>'),
    ],
    misses: [
      form('<iframe width="560" src="https://video.example/embed/1" allowfullscreen></iframe>'),
      form('<meta charset="utf-8">'),
    ],
  },
  '100025': {
    hits: [query('"><svg x>'), query("'/><img src=x>")],
    misses: [query('"quoted" > "other"'), form('<p class="a"><img src="/x.png"></p>')],
  },
  '100026': {
    hits: [
      query('";alert(1)//'),
      query("'-prompt('x')-'"),
      query('x;confirm`1`'),
      query("x;top['alert'](1)"),
    ],
    misses: [query('alert (noun) meaning'), query('how to use alert() in javascript'), query('red alert 2')],
  },
  '100027': {
    hits: [
      query('x=document.cookie'),
      query('fetch(document.cookie)'),
      query("x;window['location']='//x'"),
      query('<b>;document.write(1)'),
    ],
    misses: [
      query('document.cookie javascript'),
      query('document cookie policy'),
      query('window location scouting'),
    ],
  },
  '100028': {
    hits: [query('data:text/html,<b>x'), query('data:text/html;base64,PHNjcmlwdD4=')],
    misses: [query('data:image/png;base64,iVBORw0KGgo='), query('data: text analysis')],
  },
  '100028B': {
    hits: [query('eval(atob("YQ=="))'), query('String.fromCharCode(97,108)')],
    misses: [query('eval() considered harmful'), query('fromCharCode documentation')],
  },
  '100029': {
    hits: [query('<p style="width:expression(alert(1))">'), form('<b style="-moz-binding:url(//x)">')],
    misses: [form('<p style="color:red">a facial expression (sad)</p>'), form('style = expression of self')],
  },
  '100029B': {
    hits: [get('/?q=%2BADw-script%2BAD4-alert(1)'), form('+ADw-img src=x+AD4-')],
    misses: [query('adw-4 model'), query('+ADw plus')],
  },
  '100029C': {
    hits: [query('[][(![]+[])[+[]]+(![]+[])[!+[]+!+[]]+(![]+[])[+!+[]]]')],
    misses: [json({ board: [[], [], [[], []]] }), query('a[0][1][2]')],
  },
};

function post(body: string): ReturnType<typeof json> {
  return { ...header('content-type', 'application/json'), method: 'POST', body };
}
