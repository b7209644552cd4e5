import { area } from '../registry.js';

const all = (table) => Object.fromEntries(Object.entries(table).map(([name, run]) => [name, { run }]));

const responseOf = (html, pieces = [html]) => {
  const encoder = new TextEncoder();
  return new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(encoder.encode(piece));
        controller.close();
      },
    }),
  );
};
const rewrite = (world, html, build) =>
  world.outcome(async () => (await build(new HTMLRewriter()).transform(responseOf(html))).text());
const element = (selector, change) => (rewriter) => rewriter.on(selector, { element: change });
const on = (html, selector, change) => (world) => rewrite(world, html, element(selector, change));

const page = `<!DOCTYPE html><html lang=en><head><title>A <b> & title</title>
<script>if (a < b) document.write("<p>");</script></head>
<body CLASS='x y'><!-- note --><p id="a">One<br/>two <img src=i.png alt="5 > 4"></p><P>Three &amp; <i>four</p>
<ul><li>1<li>2<li>3</ul><svg><path d="M0"/><g></g></svg>a < b <3</body></html>`;

area(
  'globals, HTMLRewriter elements',
  {},
  all({
    'nothing changed': on(page, '*', () => {}),
    'set an attribute': on('<p a=1 B="2">x</p>', 'p', (e) => void e.setAttribute('c', 'x"y&<')),
    'change an attribute': on('<p a=1 B="2">x</p>', 'p', (e) => void e.setAttribute('a', '2')),
    'change one in capitals': on('<p a=1 B="2">x</p>', 'p', (e) => void e.setAttribute('B', '3')),
    'remove an attribute': on('<p a=1 B="2">x</p>', 'p', (e) => void e.removeAttribute('a')),
    'remove one that is not there': on('<p a=1>x</p>', 'p', (e) => void e.removeAttribute('z')),
    'an attribute with an empty name': on('<p>x</p>', 'p', (e) => void e.setAttribute('', '1')),
    'an attribute with a space': on('<p>x</p>', 'p', (e) => void e.setAttribute('a b', '1')),
    'self-closing with a new attribute': on(
      '<br/><img src=a />',
      'br, img',
      (e) => void e.setAttribute('a', '1'),
    ),
    'before twice': on('a<p>x</p>b', 'p', (e) => void e.before('1').before('<2>')),
    'after twice': on('a<p>x</p>b', 'p', (e) => void e.after('1').after('<2>', { html: true })),
    'prepend twice': on('a<p>x</p>b', 'p', (e) => void e.prepend('1').prepend('2')),
    'append twice': on('a<p>x</p>b', 'p', (e) => void e.append('1').append('2')),
    replace: on('a<p>x<b>y</b></p>b', 'p', (e) => void e.replace('<i>&</i>')),
    'replace by HTML': on('a<p>x<b>y</b></p>b', 'p', (e) => void e.replace('<i>&</i>', { html: true })),
    'replace twice': on('a<p>x</p>b', 'p', (e) => void e.replace('1').replace('2')),
    'replace with before and after': on('a<p>x</p>b', 'p', (e) => void e.before('1').replace('2').after('3')),
    remove: on('a<p>x<b>y</b></p>b', 'p', (e) => void e.remove()),
    'remove with append': on('a<p>x</p>b', 'p', (e) => void e.append('1').remove()),
    'remove with before': on('a<p>x</p>b', 'p', (e) => void e.before('1').remove()),
    removeAndKeepContent: on('a<p>x<b>y</b></p>b', 'p', (e) => void e.removeAndKeepContent()),
    'removeAndKeepContent with append': on(
      'a<p>x</p>b',
      'p',
      (e) => void e.append('1').prepend('2').removeAndKeepContent(),
    ),
    setInnerContent: on('a<p>x<b>y</b></p>b', 'p', (e) => void e.setInnerContent('<i>')),
    'setInnerContent as HTML': on(
      'a<p>x<b>y</b></p>b',
      'p',
      (e) => void e.setInnerContent('<i>', { html: true }),
    ),
    'setInnerContent after append': on('a<p>x</p>b', 'p', (e) => void e.append('1').setInnerContent('2')),
    'setInnerContent before append': on(
      'a<p>x</p>b',
      'p',
      (e) => void e.setInnerContent('2').append('1').prepend('3'),
    ),
    'setInnerContent of a void element': on('a<br>b', 'br', (e) => void e.setInnerContent('2')),
    'append to a void element': on(
      'a<br>b',
      'br',
      (e) => void e.append('1').prepend('2').before('3').after('4'),
    ),
    'remove a void element': on('a<br>b', 'br', (e) => void e.remove()),
    rename: on('<p a=1>x</p>', 'p', (e) => void (e.tagName = 'div')),
    'rename to nothing': on('<p a=1>x</p>', 'p', (e) => void (e.tagName = '')),
    'a change inside of what is removed': async (world) => {
      const seen = [];
      const text = await rewrite(world, '<p>x<b>y</b></p>', (r) =>
        r
          .on('p', { element: (e) => void e.remove() })
          .on('b', { element: () => void seen.push('b'), text: (t) => void seen.push(t.text) }),
      );
      return [text, seen];
    },
    'end tags': on('<p>x</p>', 'p', (e) => e.onEndTag((tag) => void tag.before('1').after('2'))),
    'an end tag that is removed': on('<p>x</p>', 'p', (e) => e.onEndTag((tag) => void tag.remove())),
    'the name of an end tag': on('<P>x</P>', 'p', (e) => e.onEndTag((tag) => void tag.before(tag.name))),
    'an end tag that is renamed': on('<p>x</p>', 'p', (e) => e.onEndTag((tag) => void (tag.name = 'q'))),
    'the end tag of a void element': on('<br>', 'br', (e) => e.onEndTag(() => {})),
    'an end tag that is missing': on('<p>x', 'p', (e) => e.onEndTag((tag) => void tag.before('1'))),
    'append without an end tag': on('<div><p>x</div>', 'p', (e) => void e.append('1').after('2')),
    'two handlers': (world) =>
      rewrite(world, '<p>x</p>', (r) =>
        r.on('p', { element: (e) => void e.append('1') }).on('p', { element: (e) => void e.append('2') }),
      ),
    'an asynchronous handler': on('<p>x</p>', 'p', async (e) => {
      await scheduler.wait(1);
      e.append('later');
    }),
    'a handler that throws': on('<p>x</p>', 'p', () => {
      throw new RangeError('of the handler');
    }),
    'what an element says': async (world) => {
      const told = [];
      await rewrite(world, '<P A=1 b="x &amp; y" c>t</P><svg><g/></svg>', (r) =>
        r.on('*', {
          element: (e) =>
            void told.push([
              e.tagName,
              [...e.attributes],
              e.getAttribute('a'),
              e.getAttribute('z'),
              e.hasAttribute('C'),
              e.removed,
              e.namespaceURI,
            ]),
        }),
      );
      return told;
    },
    'a token after its handler': async (world) => {
      let kept;
      await rewrite(world, '<p>x</p>', (r) => r.on('p', { element: (e) => void (kept = e) }));
      return (await world.outcome(() => kept.tagName)).error?.class;
    },
  }),
);

const select = (html, selector) => async (world) => {
  const found = [];
  const result = await rewrite(world, html, (r) =>
    r.on(selector, { element: (e) => void found.push([e.tagName, e.getAttribute('id')]) }),
  );
  return [found, result.error?.class ?? null];
};
const tree =
  '<div id=a class="one two"><p id=b>1</p><p id=c lang="en-GB" data-x="Abc">2</p><span id=d><p id=e class=two>3</p></span></div><p id=f>4</p>';
const selectors = [
  '*',
  'p',
  'P',
  'div > p',
  'div p',
  '.two',
  'div.one.two',
  '#a span',
  'p:first-child',
  'p:nth-child(2)',
  'p:nth-child(2n+1)',
  'p:nth-child(odd)',
  'p:nth-of-type(2)',
  'p:first-of-type',
  'p:not(.two)',
  '[lang]',
  'p[lang|=en]',
  '[lang^=en]',
  '[lang$="GB"]',
  '[data-x*=b]',
  "[data-x='abc' i]",
  '[data-x=abc]',
  'span, [class~=one]',
  'div>p>b',
  '',
  'p + p',
  'p ~ p',
  'p:hover',
  'p[',
  'p >',
  '::before',
  'p:last-child',
];
area(
  'globals, HTMLRewriter selectors',
  {},
  all(
    Object.fromEntries(
      selectors.map((selector) => [`"${selector.replace('#', 'id ')}"`, select(tree, selector)]),
    ),
  ),
);

const texts = (html, pieces) => async (world) => {
  const told = [];
  const rewriter = new HTMLRewriter().on('*', {
    text: ({ text, lastInTextNode }) => void told.push([text, lastInTextNode]),
  });
  const result = await world.outcome(() => rewriter.transform(responseOf(html, pieces)).text());
  return [told, result];
};
area(
  'globals, HTMLRewriter text, comments, documents',
  {},
  all({
    'text in one piece': texts('<p>one <b>two</b> three</p>'),
    'text in pieces': texts('', ['<p>on', 'e</p', '>']),
    'a script': async (world) => {
      const [told, result] = await texts('<script>a < b</script>')(world);
      // How text is cut is up to the parser.
      return [told.map(([text]) => text).join(''), told.at(-1), result];
    },
    'a reference': texts('<p>a &amp; b</p>'),
    'change text': (world) =>
      rewrite(world, '<p>one</p>', (r) =>
        r.on('p', { text: (t) => void (t.text && t.before('1').after('2').replace('<3>')) }),
      ),
    'remove text': (world) =>
      rewrite(world, '<p>one</p>', (r) => r.on('p', { text: (t) => void t.remove() })),
    'the end of text': (world) =>
      rewrite(world, '<p>one</p>', (r) =>
        r.on('p', { text: (t) => void (t.lastInTextNode && t.after('!')) }),
      ),
    comments: (world) =>
      rewrite(world, '<p><!--a--></p><!-- b -->', (r) =>
        r
          .on('p', { comments: (c) => void (c.text = c.text + '!') })
          .onDocument({ comments: (c) => void c.before('1').after('2') }),
      ),
    'remove a comment': (world) =>
      rewrite(world, 'a<!--x-->b', (r) => r.onDocument({ comments: (c) => void c.remove() })),
    'replace a comment': (world) =>
      rewrite(world, 'a<!--x-->b', (r) =>
        r.onDocument({ comments: (c) => void c.replace('<b>', { html: true }) }),
      ),
    doctype: async (world) => {
      const told = [];
      for (const html of [
        '<!DOCTYPE html>',
        '<!doctype HTML PUBLIC "-//W3C//DTD" "u.dtd">',
        '<!DOCTYPE html SYSTEM "a">',
      ]) {
        await rewrite(world, html, (r) =>
          r.onDocument({ doctype: (d) => void told.push([d.name, d.publicId, d.systemId]) }),
        );
      }
      return told;
    },
    end: (world) =>
      rewrite(world, '<p>x', (r) =>
        r.onDocument({ end: (end) => void end.append('<1>').append('<2>', { html: true }) }),
      ),
    'headers and status': async () => {
      const { status, headers } = new HTMLRewriter().transform(
        new Response('<p>', { status: 201, headers: { 'content-length': '3', 'x-own': 'yes' } }),
      );
      return [status, headers.get('content-length'), headers.get('x-own')];
    },
    'no body': () => new HTMLRewriter().transform(new Response(null)).body,
    'no response': (world) => world.outcome(() => new HTMLRewriter().transform('<p>')),
    'no handlers': async (world) => (await world.outcome(() => new HTMLRewriter().on('p'))).error?.class,
    'is its own': () => {
      const rewriter = new HTMLRewriter();
      return [rewriter.on('p', {}) === rewriter, rewriter.onDocument({}) === rewriter];
    },
  }),
);
