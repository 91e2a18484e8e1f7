import{b as R}from"./chunk-f48cc1f3.js";import{a as k,b as g,c as W,e as w,f as E,g as O,h as y,i as U}from"./chunk-40eb77a4.js";import{a as J}from"./chunk-42669a98.js";import{a as D,b as F,c as r,d as $,e as h,f as v,g as P,j as K,k as S,l as V,m as x}from"./chunk-56379ecd.js";import"./chunk-ff9e0dca.js";function B({onKnown:e}){let[t,n]=$("");return r`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <form onSubmit=${async a=>{a.preventDefault();let o=a.target.elements.namedItem("key");try{await S("session",o.value.trim()),e()}catch(i){n(i instanceof Error?i.message:String(i))}}}>
        <label for="key">Key</label>
        <input id="key" name="key" type="password" autocomplete="current-password" required autofocus
          aria-describedby="key-help" />
        <button>Open</button>
        <p id="key-help" class="quiet">
          The key of <code>admin.key_env</code> in dragoman.yaml, or a client key on this machine.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}var ye={live:"live: converted",dry_run:"dry run: not converted",excluded:"excluded by the canary: not converted"};function H(){let{value:e,error:t}=y("figures",5e3);if(t!==void 0&&e===void 0)return r`<p class="empty bad">${t.message}</p>`;if(e===void 0)return r`<p class="empty">Loading…</p>`;let{canary:n,modes:s}=e;return r`
    <h1>Canary</h1>
    ${n===null?r`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`:r`<p class="notice"><strong>${n.sentence}</strong> The live side has ${W(n.share)} of the
          answers.</p>`}
    <${U} kind="mode" rows=${s.map(a=>({...a,name:ye[a.name]??a.name}))} />
  `}var X=["text","client","model","upstream","state"];var C=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let s of n)this.#e.set(s.id,s);for(let s of this.#e.keys()){if(this.#e.size<=500)break;this.#e.delete(s)}}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function Q(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(s=>s!=="");return e.filter(s=>(t.client===""||(s.client??"none")===t.client)&&(t.model===""||s.model===t.model)&&(t.upstream===""||s.upstream===t.upstream)&&(t.state===""||ve(s,t.state))&&(n.length===0||we(s,n)))}function Y(e){let t=n=>[...new Set(e.flatMap(s=>n(s)??[]))].slice(0,50).sort();return{client:t(({client:n,route:s})=>s===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n)}}function be({refused:e,nearMisses:t,failed:n,repaired:s,rejected:a}){return Object.keys(e).length>0||t>0||n>0||s>0||a>0}function T({state:e}){return e==="waiting"||e==="streaming"}function ve(e,t){return t==="running"?T(e):t==="noted"?be(e):e.state===t}function we(e,t){let{client:n,model:s,upstream:a,error:o,route:i,called:c,refused:l,status:p,mode:u,id:d}=e,m=e.nearMisses>0?"near miss":"",f=[n,s,a,o,i,...c,...Object.keys(l),p,u,m,d].join(`
`).toLowerCase();return t.every(b=>f.includes(b))}var ke=2e3,Se=250,xe={requests:[],hasContents:!1,state:"connecting"};function z(){let[e,t]=$(xe),n=v(new C).current;return h(()=>{let s,a,o,i=0,c=-1/0,l=!1,p=()=>{o=void 0,c=performance.now(),t({requests:n.latest,hasContents:l,state:"open"})},u=()=>{let m=Math.max(0,Se-(performance.now()-c));o??=setTimeout(()=>i=requestAnimationFrame(p),m)},d=()=>{s=new EventSource("live"),s.onmessage=({data:m})=>{let f=JSON.parse(m);n.apply(f),l=f.hasContents,u()},s.onerror=()=>{s?.close(),t(m=>({...m,state:"lost"})),a=setTimeout(d,ke)}};return d(),()=>{s?.close(),clearTimeout(a),clearTimeout(o),cancelAnimationFrame(i)}},[]),e}function G(e){let[t,n]=$(),s=v({...e,selected:t});return s.current={...e,selected:t},h(()=>{let a=o=>{if(o.ctrlKey||o.metaKey||o.altKey||o.defaultPrevented)return;let{ids:i,opened:c,open:l,selected:p}=s.current,u=Te(o,Oe(o.target)),d=o.target?.closest?.("a, button, summary")!=null;if(!(u===void 0||u==="open"&&d))if(u==="filter")o.preventDefault(),document.getElementById("filter")?.focus();else if(u==="leave")o.target.blur();else if(u==="close")l("");else if(u==="open")p!==void 0&&l(p);else{let m=Ee(i,{from:p??c,step:u});n(m),c!==void 0&&m!==void 0&&l(m),document.getElementById(`row-${m}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",a),()=>removeEventListener("keydown",a)},[]),t}function Te({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter"}}function Ee(e,{from:t,step:n}){let s=t===void 0?-1:e.indexOf(t);return s<0?e[0]:e[Math.min(e.length-1,Math.max(0,s+n))]}function Oe(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var _={waiting:"waiting",streaming:"streaming",done:"done",error:"error",left:"client left"},A=class extends D{shouldComponentUpdate(t){let{request:n,isOpened:s,isSelected:a}=this.props;return t.request!==n||t.isOpened!==s||t.isSelected!==a}render({request:t,isOpened:n,isSelected:s,open:a}){let{id:o,state:i,beganAt:c,model:l,client:p,upstream:u,status:d,firstMs:m,durationMs:f,route:b}=t,he=ge=>{ge.preventDefault(),a(o)};return r`
      <tr id=${`row-${o}`} class=${`${i} ${s?"selected":""}`} aria-current=${n?"true":void 0} onClick=${he}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${_[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${o}`} aria-label=${`Open the request of ${E(c)}`}>${E(c)}</a></td>
        <td class="c-model" title=${l??""}><span>${b===null?l??k:r`<code>${b}</code>`}</span></td>
        <td class="c-client">${p??k}</td>
        <td class="c-upstream">${u??k}</td>
        <td class="number c-status">${d??"\u2026"}</td>
        <td class="number c-first">${g(m)}</td>
        <td class="number c-total">${f===null?"\u2026":g(f)}</td>
        <td class="c-calls">
          <${q} request=${t} />
        </td>
      </tr>
    `}};function q({request:e}){let{calls:t,called:n,refused:s,failed:a,repaired:o,nearMisses:i,accepted:c,rejected:l,error:p,mode:u}=e,d=Object.values(s).reduce((f,b)=>f+b,0),m=u==="live"?"":" (not converted)";return r`
    ${t>0&&r`<span class=${`chip ${u==="live"?"good":"plain"}`} title=${n.join(", ")}>${w(t,"call")}${m}</span>`}
    ${c>0&&r`<span class="chip good">${c} accepted</span>`}
    ${l>0&&r`<span class="chip bad">${l} rejected</span>`}
    ${d>0&&r`<span class="chip warn" title=${Object.keys(s).join(", ")}>${d} refused: ${Object.keys(s)[0]}</span>`}
    ${a>0&&r`<span class="chip bad">${a} broke off</span>`}
    ${o>0&&r`<span class="chip plain">${o} repaired</span>`}
    ${i>0&&r`<span class="chip warn">${w(i,"near miss","near misses")}</span>`}
    ${p!==null&&r`<span class=${`chip ${p==="client_left"?"plain":"bad"}`}>${p}</span>`}
  `}function Z({client:e,isStreamed:t},{chat:n,origin:s}){let a=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${s}${a} \\
  -H 'content-type: application/json' \\
  --data-raw ${Re(n)}
`}function Re(e){return`'${e.replaceAll("'","'\\''")}'`}function ee({request:e,detail:t}){let[n,s]=$(""),[a,o]=$(!1),i=t?.contents;if(i==null)return null;let{chat:c,before:l}=i,p=l.map(d=>d.text).join("");return r`
    <span class="actions">
      <span role="status" class="quiet">${a?"Copied":""}</span>
      ${c!==null&&r`<button onClick=${async()=>{let d=Z(e,{chat:c??"",origin:location.origin}),f=await navigator.clipboard?.writeText(d).then(()=>!0,()=>!1)??!1;o(f),s(f?"":d)}} title="The command has no key">Copy as curl</button>`}
      ${p!==""&&r`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void J({text:p,client:e.client,chat:c})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&r`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}var Ce=200;function te(e){let{messages:t,tools:n,...s}=JSON.parse(e);return[ne("settings",JSON.stringify(s,null,2)),...Array.isArray(n)?[Ae(n)]:[],...Array.isArray(t)?t.map(Le):[]]}function Ae(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:w(e.length,"tool"),summary:t.join(", "),text:JSON.stringify(e,null,2)}}function Le(e){let{role:t,content:n,...s}=Object(e),a=Ne(n),o=Object.keys(s).length===0?"":JSON.stringify(s,null,2);return ne(String(t??"message"),[a,o].filter(i=>i!=="").join(`

`))}function Ne(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function ne(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,Ce),text:t}}function se({chat:e}){return r`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${te(e).map(({title:t,summary:n,text:s})=>r`
          <details>
            <summary><strong>${t}</strong><span class="quiet">${n}</span></summary>
            <pre>${s}</pre>
          </details>
        `)}
    </section>
  `}function L(e){let t=R(e);switch(t.kind){case"decision":return t.outcome;case"repair":return"repaired";case"remark":case"plugin":return"noted"}}var N={call:"call",refused:"left as text",near:"near miss",broken:"broke off",repair:"repair",remark:"remark"};function M(e,t){if(e==="near_miss")return"near";switch(t){case"transformed":case"would_transform":return"call";case"abstained":return"refused";case"failed":return"broken";case"repaired":return"repair";case"noted":return"remark"}}function re({marks:e,isRunning:t,focused:n,focus:s}){return e.length===0?r`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:r`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((a,o)=>r`
        <li class=${o===n?"focused":""} onMouseEnter=${()=>s(o)}
          onMouseLeave=${()=>s(void 0)}>
          <${Me} mark=${a} />
        </li>
      `)}</ol>
  `}function Me({mark:{reason:e,rule:t,tool:n,detail:s,atMs:a,characters:o}}){let i=M(e,L(e)),c=[n===null?"":n,t===""?"":`rule ${t}`,s??"",o===null?"":`${o} characters`].filter(l=>l!=="").join(" \xB7 ");return r`
    <span class=${`chip ${i}`}>${N[i]}</span>
    <code>${e}</code>
    <span>${c}</span>
    <span class="quiet">after ${g(a)}</span>
    <span class="quiet block">${R(e)?.meaning}</span>
  `}var Ie=["call","broken","near","refused","repair","remark"];function oe({parts:e,isRunning:t,marks:n,focused:s,focus:a}){return e.every(({text:o})=>o==="")?r`<p class="empty">${t?"No text yet.":"The answer has no text."}</p>`:r`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(o=>{let i=o.marks.flatMap(d=>n[d]===void 0?[]:[n[d]]);if(i.length===0)return o.text;let c=i.map(({reason:d})=>M(d,L(d))),l=Ie.find(d=>c.includes(d))??"remark",p=i.map(({reason:d,rule:m})=>`${d} (${m})`).join(`
`),u=s!==void 0&&o.marks.includes(s);return r`
        <mark class=${`${l} ${u?"focused":""}`} title=${`${N[l]}: ${p}`}
          onMouseEnter=${()=>a(o.marks[0])} onMouseLeave=${()=>a(void 0)}>${o.text}</mark>
      `})}</pre>
  `}function ae({parts:e,isRunning:t}){return e.length===0?r`<p class="empty">${t?"Nothing yet.":"The answer has no text and no call."}</p>`:r`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(n=>n.tool===null?je(n):r`<${qe} part=${n} tool=${n.tool} />`)}</div>
  `}function je({text:e,call:t,isReasoning:n}){return n?r`<pre class="reasoning" title="Reasoning">${e}</pre>`:t===null?r`<pre>${e}</pre>`:r`<pre class="written"><mark class="call">${e}</mark></pre>`}var _e={open:"is still written",done:"whole",broken:"broke off"};function qe({part:e,tool:t}){let{text:n,state:s}=e;return r`
    <div class=${`made ${s==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${s&&_e[s]}</span></div>
      <pre>${De(n)}</pre>
    </div>
  `}function De(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var Fe=300;function ie({request:e,hasContents:t,close:n}){let{detail:s,failure:a}=Ve(e),[o,i]=$(),c=v(null);h(()=>c.current?.focus(),[]);let l=s?.contents??null;return r`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${c}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${ee} request=${e} detail=${s} />
      </div>
      <${Pe} request=${e} />
      ${e.state==="error"&&r`
        <p class="notice bad">The request ended with status ${e.status}${e.error!==null&&r`, error <code>${e.error}</code>`}.</p>
      `}
      ${a!==""&&r`<p class="notice bad" role="alert">${a}</p>`}
      ${l===null?r`<p class="notice">${Ke(e,{hasContents:t,isLoaded:s!==void 0})}</p>`:r`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${oe} parts=${l.before} isRunning=${T(e)} marks=${s?.marks??[]} focused=${o}
                focus=${i} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
              <${ae} parts=${l.after} isRunning=${T(e)} />
            </section>
          </div>
          ${l.isCut&&r`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
        `}
      <${re} marks=${s?.marks??[]} isRunning=${T(e)} focused=${o} focus=${i} />
      ${l?.chat!=null&&r`<${se} chat=${l.chat} />`}
    </article>
  `}function Pe({request:e}){let{client:t,upstream:n,mode:s,status:a,firstMs:o,durationMs:i,addedMs:c,tools:l,beganAt:p,state:u,isStreamed:d}=e,m=[["State",_[u]],["Status",a??"\u2026"],["Arrived",E(p)],["First token",g(o)],["Total",i===null?"\u2026":g(i)],["Dragoman\u2019s share",g(c)],["Client",t??"unknown"],["Upstream",n??k],["Offered tools",l],["Answer",d?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[s]]];return r`
    <dl class="facts">${m.map(([f,b])=>r`
        <div>
          <dt>${f}</dt>
          <dd>${b}</dd>
        </div>
      `)}</dl>
    <${We} request=${e} />
    <p class="remarks">
      <${q} request=${e} />
    </p>
  `}function We({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return r`
    <div class="timing" role="img" aria-label=${`${g(e)} until the first token, ${g(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
  `}function Ke({client:e,route:t,upstream:n},{hasContents:s,isLoaded:a}){return a?t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":s?e===null?"The client is unknown, so the answer passed unchanged.":"The texts of this request aren't kept anymore.":"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":"Loading\u2026"}function Ve(e){let[t,n]=$(),[s,a]=$(""),o=v(-1),{id:i,accepted:c,rejected:l}=e,p=T(e);return h(()=>{let u=!0,d=async()=>{try{let f=await K(`live/${encodeURIComponent(i)}?version=${o.current}`);if(!u||f===void 0)return;o.current=f.version,n(f),a("")}catch(f){u&&a(f instanceof Error?f.message:String(f))}};d();let m=p?setInterval(()=>document.hidden||void d(),Fe):void 0;return()=>{u=!1,clearInterval(m)}},[i,p,c,l]),{detail:t,failure:s}}var Ue=100;function le({parameters:e}){let t=z(),n=Object.fromEntries(X.map(l=>[l,e.get(l)??""])),s=P(()=>Q(t.requests,n),[t.requests,e.toString()]),a=t.requests.find(({id:l})=>l===e.get("request")),o=l=>{location.replace(x("live",{...Object.fromEntries(e),...l}))},i=l=>o({request:l}),c=G({ids:s.map(({id:l})=>l),opened:a?.id,open:i});return r`
    <div class=${`live ${a===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${a===void 0&&r`<h1 class="unseen">Requests</h1>`}
        <${Be} filter=${n} requests=${t.requests} go=${o} />
        <${He} live=${t} shown=${s.length} />
        <${Xe} requests=${s} opened=${a?.id} selected=${c} open=${i} />
      </section>
      ${a!==void 0&&r`
        <${ie}
          key=${a.id} request=${a} hasContents=${t.hasContents} close=${()=>i("")} />
      `}
    </div>
  `}var Je={running:"running",done:"done",error:"error",left:"client left",noted:"with remarks"};function Be({filter:e,requests:t,go:n}){let s=Y(t),a=c=>l=>n({[c]:l.target.value}),o=(c,l,p)=>r`
      <select aria-label=${l} value=${e[c]} onChange=${a(c)}>
        <option value="">${l}</option>
        ${p.map(([u,d])=>r`<option value=${u}>${d}</option>`)}
      </select>
    `,i=c=>[...new Set([...s[c],...e[c]===""?[]:[e[c]]])].map(l=>[l,l]);return r`
    <form class="filter" role="search" onSubmit=${c=>c.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${a("text")} />
      ${o("client","All clients",i("client"))}
      ${o("model","All models",i("model"))}
      ${o("upstream","All upstreams",i("upstream"))}
      ${o("state","All states",Object.entries(Je))}
    </form>
  `}function He({live:e,shown:t}){let{requests:n,state:s}=e;return s==="connecting"?r`<p class="empty">Loading…</p>`:s==="lost"?r`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?r`
      <p class="empty">No requests yet. Point your agent to <code>${location.origin}/v1</code></p>
    `:t>0?null:r`<p class="empty">No request matches the filter.</p>`}function Xe({requests:e,opened:t,selected:n,open:s}){let[a,o]=$(!1);if(e.length===0)return null;let i=a?e:e.slice(0,Ue),c=e.length-i.length;return r`
    <div class="wide" tabindex="0" role="region" aria-label="List of requests">
      <table class="requests">
        <thead>
          <tr>
            <th scope="col" class="c-state">State</th>
            <th scope="col" class="c-time">Time</th>
            <th scope="col" class="c-model">Model</th>
            <th scope="col" class="c-client">Client</th>
            <th scope="col" class="c-upstream">Upstream</th>
            <th scope="col" class="number c-status">Status</th>
            <th scope="col" class="number c-first">First token</th>
            <th scope="col" class="number c-total">Total</th>
            <th scope="col" class="c-calls">Calls and remarks</th>
          </tr>
        </thead>
        <tbody>
          ${i.map(l=>r`
              <${A} key=${l.id} request=${l} isOpened=${l.id===t}
                isSelected=${l.id===n} open=${s} />
            `)}
        </tbody>
      </table>
    </div>
    ${c>0&&r`<button class="more" onClick=${()=>o(!0)}>Show ${c} more</button>`}
  `}function ce(){let{value:e,error:t}=y("plugins",5e3),{value:n,error:s,reload:a}=y("sections/store",3e3),o=t??s,i=async c=>{await S(`sections/store/reset?key=${encodeURIComponent(c)}`).catch(()=>{}),a()};return r`
    <h1>Plugins</h1>
    ${o!==void 0&&r`<p class="notice bad" role="alert">${o.message}</p>`}
    ${e===void 0?r`<p class="empty">Loading…</p>`:r`<${Qe} plugins=${e} />`}
    <h2>What they remember</h2>
    ${n===void 0||n.length===0?r`<p class="empty">Nothing. Plugins count the strikes of a conversation, or keep calls for its next request.</p>`:r`<${Ye} entries=${n} reset=${i} />`}
  `}function Qe({plugins:e}){return e.length===0?r`<p class="empty">No plugin runs. <code>plugins</code> in dragoman.yaml names them.</p>`:r`
    <ol class="plugins">${e.map(({name:t,description:n,options:s,onFailure:a})=>r`
        <li key=${t}>
          <code><strong>${t}</strong></code>
          ${a==="refuse"&&r`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${n!==null&&r`<span class="block">${n}</span>`}
          <dl class="options">${Object.entries(s).map(([o,i])=>r`
              <div>
                <dt><code>${o}</code></dt>
                <dd><code>${JSON.stringify(i)}</code></dd>
              </div>
            `)}</dl>
        </li>
      `)}</ol>
  `}function Ye({entries:e,reset:t}){return r`
    <div class="wide" tabindex="0" role="region" aria-label="Memory">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Value</th>
            <th scope="col" class="number">Kept for</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({key:n,value:s,leftSeconds:a})=>r`
              <tr key=${n}>
                <th scope="row"><code>${n}</code></th>
                <td>${String(s)}</td>
                <td class="number">${O(a)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var I=["transformed","would_transform","abstained","failed","repaired"],ze={transformed:"Calls",would_transform:"Would be calls",abstained:"Left as text",failed:"Broke off",repaired:"Repairs"};function de({parameters:e}){let{value:t,error:n}=y("rules",5e3),[s,a]=$(!1),o=e.get("text")??"";if(n!==void 0&&t===void 0)return r`<p class="empty bad">${n.message}</p>`;if(t===void 0)return r`<p class="empty">Loading…</p>`;let i=u=>location.replace(x("rules",{text:u.target.value})),c=Ge(t,o),l=!s&&o===""&&c.some(ue),p=l?c.filter(ue):c;return r`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:u})=>u===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${u=>u.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${o} onInput=${i} />
    </form>
    ${p.length===0?r`<p class="empty">No rule matches the filter.</p>`:r`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
              ${I.map(u=>r`<th scope="col" class="number">${ze[u]}</th>`)}
            </tr>
          </thead>
          <tbody>${p.map(Ze)}</tbody>
        </table>
      </div>
    `}
    ${l&&r`
      <button class="more" onClick=${()=>a(!0)}>Show all ${c.length} rules</button>
    `}
  `}function ue({hits:e}){return I.some(t=>(e[t]??0)>0)}function Ge(e,t){let n=a=>I.reduce((o,i)=>o+(a.hits[i]??0),0),s=t.trim().toLowerCase();return e.filter(({rule:a,description:o})=>`${a}
${o}`.toLowerCase().includes(s)).toSorted((a,o)=>n(o)-n(a)||+(a.whyOff!==null)-+(o.whyOff!==null)||(a.rule<o.rule?-1:1))}function Ze({rule:e,description:t,whyOff:n,confidence:s,hits:a}){return r`
    <tr key=${e}>
      <th scope="row"><code>${e}</code><span class="quiet block">${t}</span></th>
      <td>${n===null?r`<span class="chip good">on</span>`:r`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td class="number">${s.toFixed(2)}</td>
      ${I.map(o=>r`<td class="number">${a[o]??r`<span class="quiet">–</span>`}</td>`)}
    </tr>
  `}var j=[{name:"live",title:"Live",load:()=>Promise.resolve(le)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-c354da61.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(de)},{name:"playground",title:"Playground",load:async()=>await(await import("./load-de4cb5ac.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(ce)},{name:"canary",title:"Canary",load:()=>Promise.resolve(H)}];var et=1e4;function me(){let e=ot(),t=y("status",et);return t.error?.status===401?r`<${B} onKnown=${t.reload} />`:r`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${j.map(({name:n,title:s})=>r`<a href=${x(n)} aria-current=${e.view===n?"page":void 0}>${s}</a>`)}
      </nav>
      <${nt} status=${t.value} isLost=${t.error!==void 0} />
    </header>
    <main id="main" tabindex="-1">
      <${rt} key=${e.view} route=${e} />
    </main>
  `}var fe="Reloaded",tt=5e3;function nt({status:e,isLost:t}){let[n,s]=$("");h(()=>{let i=n===fe?setTimeout(()=>s(""),tt):void 0;return()=>clearTimeout(i)},[n]);let a=async()=>{s("Reloading\u2026"),s(await S("reload").then(st,i=>String(i)))},o=t?"no connection":e===void 0?"":`v${e.version}, up ${O(e.uptimeSeconds)}`;return r`
    <span class=${`server ${t?"bad":""}`} role="status">${n===""?o:n}</span>
    <button onClick=${a} title="Reload configuration, rules, clients and plugins">Reload</button>
  `}function st({isReloaded:e,errors:t,diagnostics:n}){return e?fe:`Not reloaded: ${w(t,"error")}. ${n[0]?.message??""}`}function rt({route:e}){let[t,n]=$(),[s,a]=$(""),o=j.find(({name:i})=>i===e.view);return h(()=>{o!==void 0&&(document.title=`${o.title} \xB7 Dragoman`,o.load().then(i=>n(()=>i),i=>a(String(i))))},[o]),o===void 0?r`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:s!==""?r`<p class="empty bad">Cannot load this view: ${s}</p>`:t===void 0?r`<p class="empty">Loading…</p>`:r`
    <${t} parameters=${e.parameters} />
  `}function ot(){let[e,t]=$(pe);return h(()=>{let n=()=>t(pe());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function pe(){let e=V(location.hash);return e.view===""?{...e,view:j[0]?.name??""}:e}var $e=document.getElementById("app");$e!==null&&F(r`<${me} />`,$e);
