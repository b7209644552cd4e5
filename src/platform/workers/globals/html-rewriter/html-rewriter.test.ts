import { deepEqual, equal, match, rejects, throws } from 'node:assert/strict';
import { test } from 'node:test';
import type { Element } from './content-tokens.ts';
import { HTMLRewriter } from './html-rewriter.ts';

/** The output, with the document in pieces of this many characters. */
async function rewrite(html: string, rewriter: HTMLRewriter, piece = html.length || 1): Promise<string> {
  const bytes = new TextEncoder().encode(html);
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.slice(index * piece, (index + 1) * piece),
  );
  return await rewriter.transform(new Response(ReadableStream.from(pieces))).text();
}

const page = `<!DOCTYPE html><html lang=en><head><title>A <b> & title</title>
<script>if (a < b && "</scr" + "ipt>") document.write("<p>");</script></head>
<body CLASS='x y'><!-- note --><p id="a">One<br/>two <img src=i.png alt="5 > 4"></p><P>Three &amp; <i>four</p>
<ul><li>1<li>2<li>3</ul><svg><path d="M0"/><g></g></svg>a < b <3</body></html><!-- open`;

test('HTMLRewriter leaves a document that nobody changes as it is, however it is cut', async () => {
  const seen: string[] = [];
  const create = (): HTMLRewriter =>
    new HTMLRewriter().on('*', {
      element: (element) => void seen.push(element.tagName),
      text: () => {},
      comments: () => {},
    });
  equal(await rewrite(page, create()), page);
  const names = seen.splice(0);
  deepEqual(names.join(' '), 'html head title script body p br img p i ul li li li svg path g');
  for (const piece of [1, 2, 3, 7]) {
    equal(await rewrite(page, create(), piece), page, `pieces of ${piece}`);
    deepEqual(seen.splice(0), names);
  }
});

test('HTMLRewriter: selectors', async () => {
  const html =
    '<div id=d class="one two"><p>1</p><p lang="en-GB" data-x="Abc">2</p><span><p class=two>3</p></span></div><p>4</p>';
  const find = async (selector: string): Promise<string> => {
    const found: string[] = [];
    const text = new Set<string>();
    const rewriter = new HTMLRewriter().on(selector, {
      element: (element) => void found.push(element.tagName),
      text: (chunk) => void text.add(chunk.text),
    });
    await rewrite(html, rewriter);
    return `${found.join(' ')}: ${[...text].join('')}`;
  };
  for (const [selector, expected] of [
    ['p', 'p p p p: 1234'],
    ['*', 'div p p span p p: 1234'],
    ['div > p', 'p p: 12'],
    ['div p', 'p p p: 123'],
    ['.two', 'div p: 123'],
    ['div.one.two', 'div: 123'],
    ['#d span', 'span: 3'],
    ['p:first-child', 'p p: 13'],
    ['p:nth-child(2)', 'p p: 24'],
    ['p:nth-of-type(2n+1)', 'p p p: 134'],
    ['p:not(.two)', 'p p p: 124'],
    ['[lang]', 'p: 2'],
    ['p[lang|=en]', 'p: 2'],
    ['[lang^="en"][lang$=GB]', 'p: 2'],
    ["[data-x='abc' i]", 'p: 2'],
    ['[data-x=abc]', ': '],
    ['span, [class~=one]', 'div span: 123'],
  ] as const) {
    equal(await find(selector), expected, selector);
  }
  for (const selector of ['', 'p + p', 'p ~ p', 'p:hover', 'p[', 'p >', '::before']) {
    throws(() => new HTMLRewriter().on(selector, {}), { name: 'TypeError', message: /^Parser error: / });
  }
});

test('HTMLRewriter changes elements, text, comments and the end', async () => {
  const rewriter = new HTMLRewriter()
    .on('a', {
      async element(element) {
        await Promise.resolve();
        element.setAttribute('href', `/x?q="${element.getAttribute('href')}"`).removeAttribute('target');
        element.before('<1>').before('<b>2</b>', { html: true }).after('3').after('4');
        element.prepend('5').prepend('6').append('7').append('8');
        element.onEndTag((tag) => void tag.before('9'));
      },
    })
    .on('h1', { element: (element) => void (element.tagName = 'h2') })
    .on('.gone', { element: (element) => void element.remove() })
    .on('.open', { element: (element) => void element.removeAndKeepContent() })
    .on('.inner', { element: (element) => void element.setInnerContent('<i>in</i>', { html: true }) })
    .on('.other', { element: (element) => void element.replace('<hr>', { html: true }) })
    .on('p', { text: (text) => void (text.text === 'word' && text.replace('WORD & more')) })
    .onDocument({
      comments: (comment) => void (comment.text = comment.text.toUpperCase()),
      end: (end) => void end.append('<!-- the end -->', { html: true }),
    });
  equal(
    await rewrite(
      '<h1 id=t>T</h1><a href=u target=_blank>link</a><div class=gone>x<b>y</b></div><div class=open>k<b>e</b>pt</div>' +
        '<div class=inner>out<b>er</b></div><div class=other>o</div><p>word</p><!--note--><p>rest',
      rewriter,
    ),
    '<h2 id=t>T</h2>&lt;1&gt;<b>2</b><a href="/x?q=&quot;u&quot;">65link789</a>43k<b>e</b>pt' +
      '<div class=inner><i>in</i></div><hr><p>WORD &amp; more</p><!--NOTE--><p>rest<!-- the end -->',
  );
});

test('HTMLRewriter: doctypes, ends of text, attributes, tokens after their handler', async () => {
  const told: unknown[] = [];
  let kept: { setAttribute(name: string, value: string): unknown } | undefined;
  const rewriter = new HTMLRewriter()
    .on('p', {
      element(element) {
        kept = element;
        told.push([...element.attributes], element.namespaceURI, element.hasAttribute('A'));
      },
      text: ({ text, lastInTextNode }) => void told.push([text, lastInTextNode]),
    })
    .onDocument({ doctype: ({ name, publicId, systemId }) => void told.push([name, publicId, systemId]) });
  await rewrite('<!DOCTYPE HTML PUBLIC "-//W3C//DTD" "u.dtd"><p a=1 b="2 &amp; 3" a=4>text</p>', rewriter);
  deepEqual(told, [
    ['html', '-//W3C//DTD', 'u.dtd'],
    [
      ['a', '1'],
      ['b', '2 &amp; 3'],
      ['a', '4'],
    ],
    'http://www.w3.org/1999/xhtml',
    true,
    ['text', false],
    ['', true],
  ]);
  throws(() => kept!.setAttribute('c', '5'), /no longer valid/);
});

/** What workerd 1.20261104.1 answers. */
test('HTMLRewriter reads every document as lol-html in workerd does, however it is cut', async () => {
  const add = (element: { append(text: string): unknown; after(text: string): unknown }): void => {
    element.append('1');
    element.after('2');
  };
  const cases: readonly [
    html: string,
    selector: string,
    change: (element: Element) => unknown,
    expected: string,
  ][] = [
    ['<p a = "1 > 2">t</p>', 'p', (p) => p.setAttribute('b', ''), '<p a = "1 > 2" b="">t</p>'],
    ['<p a=><b ==1>t', '*', (e) => e.setAttribute('n', 'v'), '<p a n="v"><b ==1 n="v">t'],
    ['<P a=1 a=2>t</P x=">">', 'p', (p) => p.setAttribute('a', '3'), '<P a="3" a=2>t</P x=">">'],
    ['<P a=1 A=2>t', 'p', (p) => p.removeAttribute('a'), '<P>t'],
    ['<P B>t', 'p', (p) => p.removeAttribute('a'), '<P B>t'],
    ['<p/>t<br b/>', '*', (e) => (e.tagName = 'q'), '<q/>t<q b />'],
    ['<div><p>t<b>u</div>.', '*', add, '<div><p>t<b>u1</div>2.'],
    ['<div><p>t</div>.', 'p', (p) => (p.tagName = 'q'), '<div><q>t</q>.'],
    ['<div><p>t', '*', add, '<div><p>t'],
    ['<p>t', 'p', (p) => p.replace('r').remove(), 'r'],
    ['<script>a<!--<script>b</script>c</script>.', 'script', (e) => e.replace('r'), 'r.'],
    ['<script><!--></script>.', 'script', (e) => e.replace('r'), 'r.'],
    ['<plaintext></plaintext><b>', 'b', (b) => b.remove(), '<plaintext></plaintext><b>'],
    [
      '<svg><title><b></title><style><i></style></svg>',
      'b, i',
      (e) => e.remove(),
      '<svg><title><style></svg>',
    ],
    [
      '<svg><![CDATA[<b>]]></svg><![CDATA[<b>]]>',
      'b',
      (b) => b.remove(),
      '<svg><![CDATA[<b>]]></svg><![CDATA[<b>]]>',
    ],
    ['<svg><p><title><b></title>', 'b', (b) => b.remove(), '<svg><p><title><b></title>'],
    [
      '<select><script><b></script></select>',
      'b',
      (b) => b.remove(),
      '<select><script><b></script></select>',
    ],
    ['<p>t</p><p a="x', 'p', (p) => p.remove(), '<p a="x'],
  ];
  for (const [html, selector, change, expected] of cases) {
    for (const piece of [1, 2, 5, 100]) {
      const rewriter = new HTMLRewriter().on(selector, { element: (element) => void change(element) });
      equal(await rewrite(html, rewriter, piece), expected, `${html} in pieces of ${piece}`);
    }
  }
  const comments: string[] = [];
  const rewriter = new HTMLRewriter().onDocument({ comments: ({ text }) => void comments.push(text) });
  await rewrite('<!--a--!><!--><!---><!--b<!---><?php x?><!c></ d></><!e', rewriter, 1);
  deepEqual(comments, ['a', '', '', 'b<!-', '?php x?', 'c', ' d', 'e']);
});

test('HTMLRewriter refuses a document where only a tree shows what is text', async () => {
  for (const html of ['<select><xmp>', '<select><template><script>', '<frameset><style>']) {
    await rejects(rewrite(html, new HTMLRewriter()), {
      name: 'TypeError',
      message: /^Parser error: .* ambiguous/,
    });
  }
  for (const html of ['<select></select><xmp>', '<select><input><xmp>', '<frameset><noframes>']) {
    equal(await rewrite(html, new HTMLRewriter()), html);
  }
});

test('HTMLRewriter: a handler that fails, fails the body, and an endless tag is refused', async () => {
  const failing = new HTMLRewriter().on('p', {
    element() {
      throw new Error('of the handler');
    },
  });
  await rejects(rewrite('<p>', failing), /of the handler/);
  await rejects(rewrite(`<p ${'a'.repeat(2_000_000)}`, new HTMLRewriter(), 100_000), /longer than/);
  const answer = new HTMLRewriter().transform(
    new Response('<p>', { status: 201, headers: { 'content-length': '3', 'x-own': 'yes' } }),
  );
  deepEqual(
    [answer.status, answer.headers.get('content-length'), answer.headers.get('x-own')],
    [201, null, 'yes'],
  );
  equal(new HTMLRewriter().transform(new Response(null, { status: 204 })).body, null);
});

test('HTMLRewriter takes content from a Response or a stream, and refuses it for comments and the end', async () => {
  const stream = (text: string): ReadableStream =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    });
  const refusals: string[] = [];
  const refused = (body: () => void): void => {
    try {
      body();
    } catch (error) {
      refusals.push(String(error));
    }
  };
  const rewriter = new HTMLRewriter()
    .on('b', {
      element(element) {
        element.append(new Response('<i>R</i>'), { html: true });
        element.prepend(stream('s<'));
        element.before(new Response('t<'));
        element.onEndTag((tag) => void tag.after(stream('$&'), { html: true }));
      },
      comments: (comment) => refused(() => comment.replace(new Response('C'))),
    })
    .onDocument({ end: (end) => refused(() => end.append(new Response('E'))) });
  const answer = await rewriter.transform(new Response('<b>x<!--c--></b>.')).text();
  equal(answer, 't&lt;<b>s&lt;x<!--c--><i>R</i></b>$&.');
  equal(refusals.length, 2);
  for (const said of refusals)
    match(said, /^TypeError: Replacing content in HTML comments using a ReadableStream/);
});
