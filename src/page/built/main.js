import{b as O}from"./chunk-A2QCUI6K.js";import{a as k,b as g,c as K,e as w,f as T,g as E,h as y,i as U}from"./chunk-MPCWTAGC.js";import{a as J}from"./chunk-2JA6YJMZ.js";import{a as D,b as F,c as s,d as $,e as h,f as v,g as P,j as W,k as S,l as V,m as x}from"./chunk-WHMLTMNT.js";import"./chunk-WOT6VMZA.js";function B({onKnown:e}){let[t,n]=$("");return s`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <form onSubmit=${async o=>{o.preventDefault();let a=o.target.elements.namedItem("key");try{await S("session",a.value.trim()),e()}catch(i){n(i instanceof Error?i.message:String(i))}}}>
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
  `}var ge={live:"live: converted",dry_run:"dry run: not converted",excluded:"excluded by the canary: not converted"};function H(){let{value:e,error:t}=y("figures",5e3);if(t!==void 0&&e===void 0)return s`<p class="empty bad">${t.message}</p>`;if(e===void 0)return s`<p class="empty">Loading…</p>`;let{canary:n,modes:r}=e;return s`
    <h1>Canary</h1>
    ${n===null?s`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`:s`<p class="notice"><strong>${n.sentence}</strong> The live side has ${K(n.share)} of the
          answers.</p>`}
    <${U} kind="mode" rows=${r.map(o=>({...o,name:ge[o.name]??o.name}))} />
  `}var X=["text","client","model","upstream","state"];var R=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let r of n)this.#e.set(r.id,r);for(let r of this.#e.keys()){if(this.#e.size<=500)break;this.#e.delete(r)}}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function Q(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(r=>r!=="");return e.filter(r=>(t.client===""||(r.client??"none")===t.client)&&(t.model===""||r.model===t.model)&&(t.upstream===""||r.upstream===t.upstream)&&(t.state===""||be(r,t.state))&&(n.length===0||ve(r,n)))}function Y(e){let t=n=>[...new Set(e.flatMap(r=>n(r)??[]))].slice(0,50).sort();return{client:t(({client:n,route:r})=>r===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n)}}function ye({refused:e,nearMisses:t,failed:n,repaired:r,rejected:o}){return Object.keys(e).length>0||t>0||n>0||r>0||o>0}function C({state:e}){return e==="waiting"||e==="streaming"}function be(e,t){return t==="running"?C(e):t==="noted"?ye(e):e.state===t}function ve(e,t){let{client:n,model:r,upstream:o,error:a,route:i,called:c,refused:l,status:d,mode:u,id:p}=e,f=e.nearMisses>0?"near miss":"",m=[n,r,o,a,i,...c,...Object.keys(l),d,u,f,p].join(`
`).toLowerCase();return t.every(b=>m.includes(b))}var we=2e3,ke=250,Se={requests:[],hasContents:!1,state:"connecting"};function z(){let[e,t]=$(Se),n=v(new R).current;return h(()=>{let r,o,a,i=0,c=-1/0,l=!1,d=()=>{a=void 0,c=performance.now(),t({requests:n.latest,hasContents:l,state:"open"})},u=()=>{let f=Math.max(0,ke-(performance.now()-c));a??=setTimeout(()=>i=requestAnimationFrame(d),f)},p=()=>{r=new EventSource("live"),r.onmessage=({data:f})=>{let m=JSON.parse(f);n.apply(m),l=m.hasContents,u()},r.onerror=()=>{r?.close(),t(f=>({...f,state:"lost"})),o=setTimeout(p,we)}};return p(),()=>{r?.close(),clearTimeout(o),clearTimeout(a),cancelAnimationFrame(i)}},[]),e}function G(e){let[t,n]=$(),r=v({...e,selected:t});return r.current={...e,selected:t},h(()=>{let o=a=>{if(a.ctrlKey||a.metaKey||a.altKey||a.defaultPrevented)return;let{ids:i,opened:c,open:l,selected:d}=r.current,u=xe(a,Ee(a.target)),p=a.target?.closest?.("a, button, summary")!=null;if(!(u===void 0||u==="open"&&p))if(u==="filter")a.preventDefault(),document.getElementById("filter")?.focus();else if(u==="leave")a.target.blur();else if(u==="close")l("");else if(u==="open")d!==void 0&&l(d);else{let f=Te(i,{from:d??c,step:u});n(f),c!==void 0&&f!==void 0&&l(f),document.getElementById(`row-${f}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",o),()=>removeEventListener("keydown",o)},[]),t}function xe({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter"}}function Te(e,{from:t,step:n}){let r=t===void 0?-1:e.indexOf(t);return r<0?e[0]:e[Math.min(e.length-1,Math.max(0,r+n))]}function Ee(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var q={waiting:"waiting",streaming:"streaming",done:"done",error:"error",left:"client left"},A=class extends D{shouldComponentUpdate(t){let{request:n,isOpened:r,isSelected:o}=this.props;return t.request!==n||t.isOpened!==r||t.isSelected!==o}render({request:t,isOpened:n,isSelected:r,open:o}){let{id:a,state:i,beganAt:c,model:l,client:d,upstream:u,status:p,firstMs:f,durationMs:m,route:b}=t,$e=he=>{he.preventDefault(),o(a)};return s`
      <tr id=${`row-${a}`} class=${`${i} ${r?"selected":""}`} aria-current=${n?"true":void 0} onClick=${$e}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${q[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${a}`} aria-label=${`Open the request of ${T(c)}`}>${T(c)}</a></td>
        <td class="c-model" title=${l??""}>${b===null?l??k:s`<code>${b}</code>`}</td>
        <td class="c-client">${d??k}</td>
        <td class="c-upstream">${u??k}</td>
        <td class="number c-status">${p??"\u2026"}</td>
        <td class="number c-first">${g(f)}</td>
        <td class="number c-total">${m===null?"\u2026":g(m)}</td>
        <td class="c-calls">
          <${j} request=${t} />
        </td>
      </tr>
    `}};function j({request:e}){let{calls:t,called:n,refused:r,failed:o,repaired:a,nearMisses:i,accepted:c,rejected:l,error:d,mode:u}=e,p=Object.values(r).reduce((m,b)=>m+b,0),f=u==="live"?"":" (not converted)";return s`
    ${t>0&&s`<span class=${`chip ${u==="live"?"good":"plain"}`} title=${n.join(", ")}>${w(t,"call")}${f}</span>`}
    ${c>0&&s`<span class="chip good">${c} accepted</span>`}
    ${l>0&&s`<span class="chip bad">${l} rejected</span>`}
    ${p>0&&s`<span class="chip warn" title=${Object.keys(r).join(", ")}>${p} refused: ${Object.keys(r)[0]}</span>`}
    ${o>0&&s`<span class="chip bad">${o} broke off</span>`}
    ${a>0&&s`<span class="chip plain">${a} repaired</span>`}
    ${i>0&&s`<span class="chip warn">${w(i,"near miss","near misses")}</span>`}
    ${d!==null&&s`<span class=${`chip ${d==="client_left"?"plain":"bad"}`}>${d}</span>`}
  `}function Z({client:e,isStreamed:t},{chat:n,origin:r}){let o=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${r}${o} \\
  -H 'content-type: application/json' \\
  --data-raw ${Oe(n)}
`}function Oe(e){return`'${e.replaceAll("'","'\\''")}'`}function ee({request:e,detail:t}){let[n,r]=$(""),[o,a]=$(!1),i=t?.contents;if(i==null)return null;let{chat:c,before:l}=i,d=l.map(p=>p.text).join("");return s`
    <span class="actions">
      <span role="status" class="quiet">${o?"Copied":""}</span>
      ${c!==null&&s`<button onClick=${async()=>{let p=Z(e,{chat:c??"",origin:location.origin}),m=await navigator.clipboard?.writeText(p).then(()=>!0,()=>!1)??!1;a(m),r(m?"":p)}} title="The command has no key">Copy as curl</button>`}
      ${d!==""&&s`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void J({text:d,client:e.client,chat:c})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&s`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}var Re=200;function te(e){let{messages:t,tools:n,...r}=JSON.parse(e);return[ne("settings",JSON.stringify(r,null,2)),...Array.isArray(n)?[Ce(n)]:[],...Array.isArray(t)?t.map(Ae):[]]}function Ce(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:w(e.length,"tool"),summary:t.join(", "),text:JSON.stringify(e,null,2)}}function Ae(e){let{role:t,content:n,...r}=Object(e),o=Le(n),a=Object.keys(r).length===0?"":JSON.stringify(r,null,2);return ne(String(t??"message"),[o,a].filter(i=>i!=="").join(`

`))}function Le(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function ne(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,Re),text:t}}function re({chat:e}){return s`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${te(e).map(({title:t,summary:n,text:r})=>s`
          <details>
            <summary><strong>${t}</strong><span class="quiet">${n}</span></summary>
            <pre>${r}</pre>
          </details>
        `)}
    </section>
  `}function L(e){let t=O(e);switch(t.kind){case"decision":return t.outcome;case"repair":return"repaired";case"remark":case"plugin":return"noted"}}var N={call:"call",refused:"left as text",near:"near miss",broken:"broke off",repair:"repair",remark:"remark"};function M(e,t){if(e==="near_miss")return"near";switch(t){case"transformed":case"would_transform":return"call";case"abstained":return"refused";case"failed":return"broken";case"repaired":return"repair";case"noted":return"remark"}}function se({marks:e,isRunning:t,focused:n,focus:r}){return e.length===0?s`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:s`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((o,a)=>s`
        <li class=${a===n?"focused":""} onMouseEnter=${()=>r(a)}
          onMouseLeave=${()=>r(void 0)}>
          <${Ne} mark=${o} />
        </li>
      `)}</ol>
  `}function Ne({mark:{reason:e,rule:t,tool:n,detail:r,atMs:o,characters:a}}){let i=M(e,L(e)),c=[n===null?"":n,t===""?"":`rule ${t}`,r??"",a===null?"":`${a} characters`].filter(l=>l!=="").join(" \xB7 ");return s`
    <span class=${`chip ${i}`}>${N[i]}</span>
    <code>${e}</code>
    <span>${c}</span>
    <span class="quiet">after ${g(o)}</span>
    <span class="quiet block">${O(e)?.meaning}</span>
  `}var Me=["call","broken","near","refused","repair","remark"];function oe({parts:e,marks:t,focused:n,focus:r}){return e.every(({text:o})=>o==="")?s`<p class="empty">No text yet.</p>`:s`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(o=>{let a=o.marks.flatMap(u=>t[u]===void 0?[]:[t[u]]);if(a.length===0)return o.text;let i=a.map(({reason:u})=>M(u,L(u))),c=Me.find(u=>i.includes(u))??"remark",l=a.map(({reason:u,rule:p})=>`${u} (${p})`).join(`
`),d=n!==void 0&&o.marks.includes(n);return s`
        <mark class=${`${c} ${d?"focused":""}`} title=${`${N[c]}: ${l}`}
          onMouseEnter=${()=>r(o.marks[0])} onMouseLeave=${()=>r(void 0)}>${o.text}</mark>
      `})}</pre>
  `}function ae({parts:e}){return e.length===0?s`<p class="empty">Nothing yet.</p>`:s`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(t=>t.tool===null?Ie(t):s`<${je} part=${t} tool=${t.tool} />`)}</div>
  `}function Ie({text:e,call:t,isReasoning:n}){return n?s`<pre class="reasoning" title="Reasoning">${e}</pre>`:t===null?s`<pre>${e}</pre>`:s`<pre class="written"><mark class="call">${e}</mark></pre>`}var qe={open:"is still written",done:"whole",broken:"broke off"};function je({part:e,tool:t}){let{text:n,state:r}=e;return s`
    <div class=${`made ${r==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${r&&qe[r]}</span></div>
      <pre>${_e(n)}</pre>
    </div>
  `}function _e(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var De=300;function ie({request:e,hasContents:t,close:n}){let{detail:r,failure:o}=We(e),[a,i]=$(),c=v(null);h(()=>c.current?.focus(),[]);let l=r?.contents??null;return s`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${c}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${ee} request=${e} detail=${r} />
      </div>
      <${Fe} request=${e} />
      ${o!==""&&s`<p class="notice bad" role="alert">${o}</p>`}
      ${l===null?s`<p class="notice">${Ke(e,{hasContents:t,isLoaded:r!==void 0})}</p>`:s`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${oe} parts=${l.before} marks=${r?.marks??[]} focused=${a} focus=${i} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
              <${ae} parts=${l.after} />
            </section>
          </div>
          ${l.isCut&&s`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
        `}
      <${se} marks=${r?.marks??[]} isRunning=${C(e)} focused=${a} focus=${i} />
      ${l?.chat!=null&&s`<${re} chat=${l.chat} />`}
    </article>
  `}function Fe({request:e}){let{client:t,upstream:n,mode:r,status:o,firstMs:a,durationMs:i,addedMs:c,tools:l,beganAt:d,state:u,isStreamed:p}=e,f=[["State",q[u]],["Status",o??"\u2026"],["Arrived",T(d)],["First token",g(a)],["Total",i===null?"\u2026":g(i)],["Dragoman\u2019s share",g(c)],["Client",t??"unknown"],["Upstream",n??k],["Offered tools",l],["Answer",p?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[r]]];return s`
    <dl class="facts">${f.map(([m,b])=>s`
        <div>
          <dt>${m}</dt>
          <dd>${b}</dd>
        </div>
      `)}</dl>
    <${Pe} request=${e} />
    <p class="remarks">
      <${j} request=${e} />
    </p>
  `}function Pe({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return s`
    <div class="timing" role="img" aria-label=${`${g(e)} until the first token, ${g(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
  `}function Ke({client:e,route:t,upstream:n},{hasContents:r,isLoaded:o}){return o?t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":r?e===null?"The client is unknown, so the answer passed unchanged.":"The texts of this request aren't kept anymore.":"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":"Loading\u2026"}function We(e){let[t,n]=$(),[r,o]=$(""),a=v(-1),{id:i,accepted:c,rejected:l}=e,d=C(e);return h(()=>{let u=!0,p=async()=>{try{let m=await W(`live/${encodeURIComponent(i)}?version=${a.current}`);if(!u||m===void 0)return;a.current=m.version,n(m),o("")}catch(m){u&&o(m instanceof Error?m.message:String(m))}};p();let f=d?setInterval(()=>document.hidden||void p(),De):void 0;return()=>{u=!1,clearInterval(f)}},[i,d,c,l]),{detail:t,failure:r}}var Ve=100;function le({parameters:e}){let t=z(),n=Object.fromEntries(X.map(l=>[l,e.get(l)??""])),r=P(()=>Q(t.requests,n),[t.requests,e.toString()]),o=t.requests.find(({id:l})=>l===e.get("request")),a=l=>{location.replace(x("live",{...Object.fromEntries(e),...l}))},i=l=>a({request:l}),c=G({ids:r.map(({id:l})=>l),opened:o?.id,open:i});return s`
    <div class=${`live ${o===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${o===void 0&&s`<h1 class="unseen">Requests</h1>`}
        <${Je} filter=${n} requests=${t.requests} go=${a} />
        <${Be} live=${t} shown=${r.length} />
        <${He} requests=${r} opened=${o?.id} selected=${c} open=${i} />
      </section>
      ${o!==void 0&&s`
        <${ie}
          key=${o.id} request=${o} hasContents=${t.hasContents} close=${()=>i("")} />
      `}
    </div>
  `}var Ue={running:"running",done:"done",error:"error",left:"client left",noted:"with remarks"};function Je({filter:e,requests:t,go:n}){let r=Y(t),o=c=>l=>n({[c]:l.target.value}),a=(c,l,d)=>s`
      <select aria-label=${l} value=${e[c]} onChange=${o(c)}>
        <option value="">${l}</option>
        ${d.map(([u,p])=>s`<option value=${u}>${p}</option>`)}
      </select>
    `,i=c=>[...new Set([...r[c],...e[c]===""?[]:[e[c]]])].map(l=>[l,l]);return s`
    <form class="filter" role="search" onSubmit=${c=>c.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${o("text")} />
      ${a("client","All clients",i("client"))}
      ${a("model","All models",i("model"))}
      ${a("upstream","All upstreams",i("upstream"))}
      ${a("state","All states",Object.entries(Ue))}
    </form>
  `}function Be({live:e,shown:t}){let{requests:n,state:r}=e;return r==="connecting"?s`<p class="empty">Loading…</p>`:r==="lost"?s`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?s`
      <p class="empty">No requests yet. Point your agent to <code>${location.origin}/v1</code></p>
    `:t>0?null:s`<p class="empty">No request matches the filter.</p>`}function He({requests:e,opened:t,selected:n,open:r}){let[o,a]=$(!1);if(e.length===0)return null;let i=o?e:e.slice(0,Ve),c=e.length-i.length;return s`
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
          ${i.map(l=>s`
              <${A} key=${l.id} request=${l} isOpened=${l.id===t}
                isSelected=${l.id===n} open=${r} />
            `)}
        </tbody>
      </table>
    </div>
    ${c>0&&s`<button class="more" onClick=${()=>a(!0)}>Show ${c} more</button>`}
  `}function ce(){let{value:e,error:t}=y("plugins",5e3),{value:n,error:r,reload:o}=y("sections/store",3e3),a=t??r,i=async c=>{await S(`sections/store/reset?key=${encodeURIComponent(c)}`).catch(()=>{}),o()};return s`
    <h1>Plugins</h1>
    ${a!==void 0&&s`<p class="notice bad" role="alert">${a.message}</p>`}
    ${e===void 0?s`<p class="empty">Loading…</p>`:s`<${Xe} plugins=${e} />`}
    <h2>What they remember</h2>
    ${n===void 0||n.length===0?s`<p class="empty">Nothing. Plugins count the strikes of a conversation, or keep calls for its next request.</p>`:s`<${Qe} entries=${n} reset=${i} />`}
  `}function Xe({plugins:e}){return e.length===0?s`<p class="empty">No plugin runs. <code>plugins</code> in dragoman.yaml names them.</p>`:s`
    <ol class="plugins">${e.map(({name:t,description:n,options:r,onFailure:o})=>s`
        <li key=${t}>
          <code><strong>${t}</strong></code>
          ${o==="refuse"&&s`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${n!==null&&s`<span class="block">${n}</span>`}
          <dl class="options">${Object.entries(r).map(([a,i])=>s`
              <div>
                <dt><code>${a}</code></dt>
                <dd><code>${JSON.stringify(i)}</code></dd>
              </div>
            `)}</dl>
        </li>
      `)}</ol>
  `}function Qe({entries:e,reset:t}){return s`
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
          ${e.map(({key:n,value:r,leftSeconds:o})=>s`
              <tr key=${n}>
                <th scope="row"><code>${n}</code></th>
                <td>${String(r)}</td>
                <td class="number">${E(o)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var _=["transformed","would_transform","abstained","failed","repaired"],Ye={transformed:"Calls",would_transform:"Would be calls",abstained:"Left as text",failed:"Broke off",repaired:"Repairs"};function ue({parameters:e}){let{value:t,error:n}=y("rules",5e3),r=e.get("text")??"";if(n!==void 0&&t===void 0)return s`<p class="empty bad">${n.message}</p>`;if(t===void 0)return s`<p class="empty">Loading…</p>`;let o=i=>location.replace(x("rules",{text:i.target.value})),a=ze(t,r);return s`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:i})=>i===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${i=>i.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${r} onInput=${o} />
    </form>
    ${a.length===0?s`<p class="empty">No rule matches the filter.</p>`:s`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
              ${_.map(i=>s`<th scope="col" class="number">${Ye[i]}</th>`)}
            </tr>
          </thead>
          <tbody>${a.map(Ge)}</tbody>
        </table>
      </div>
    `}
  `}function ze(e,t){let n=o=>_.reduce((a,i)=>a+(o.hits[i]??0),0),r=t.trim().toLowerCase();return e.filter(({rule:o,description:a})=>`${o}
${a}`.toLowerCase().includes(r)).toSorted((o,a)=>n(a)-n(o)||+(o.whyOff!==null)-+(a.whyOff!==null)||(o.rule<a.rule?-1:1))}function Ge({rule:e,description:t,whyOff:n,confidence:r,hits:o}){return s`
    <tr key=${e}>
      <th scope="row"><code>${e}</code><span class="quiet block">${t}</span></th>
      <td>${n===null?s`<span class="chip good">on</span>`:s`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td class="number">${r.toFixed(2)}</td>
      ${_.map(a=>s`<td class="number">${o[a]??s`<span class="quiet">0</span>`}</td>`)}
    </tr>
  `}var I=[{name:"live",title:"Live",load:()=>Promise.resolve(le)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-6UG6XZQA.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(ue)},{name:"playground",title:"Playground",load:async()=>await(await import("./load-RPU5DUUU.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(ce)},{name:"canary",title:"Canary",load:()=>Promise.resolve(H)}];var Ze=1e4;function pe(){let e=st(),t=y("status",Ze);return t.error?.status===401?s`<${B} onKnown=${t.reload} />`:s`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${I.map(({name:n,title:r})=>s`<a href=${x(n)} aria-current=${e.view===n?"page":void 0}>${r}</a>`)}
      </nav>
      <${tt} status=${t.value} isLost=${t.error!==void 0} />
    </header>
    <main id="main" tabindex="-1">
      <${rt} key=${e.view} route=${e} />
    </main>
  `}var me="Reloaded",et=5e3;function tt({status:e,isLost:t}){let[n,r]=$("");h(()=>{let i=n===me?setTimeout(()=>r(""),et):void 0;return()=>clearTimeout(i)},[n]);let o=async()=>{r("Reloading\u2026"),r(await S("reload").then(nt,i=>String(i)))},a=t?"no connection":e===void 0?"":`v${e.version}, up ${E(e.uptimeSeconds)}`;return s`
    <span class=${`server ${t?"bad":""}`} role="status">${n===""?a:n}</span>
    <button onClick=${o} title="Reload configuration, rules, clients and plugins">Reload</button>
  `}function nt({isReloaded:e,errors:t,diagnostics:n}){return e?me:`Not reloaded: ${w(t,"error")}. ${n[0]?.message??""}`}function rt({route:e}){let[t,n]=$(),[r,o]=$(""),a=I.find(({name:i})=>i===e.view);return h(()=>{a!==void 0&&(document.title=`${a.title} \xB7 Dragoman`,a.load().then(i=>n(()=>i),i=>o(String(i))))},[a]),a===void 0?s`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:r!==""?s`<p class="empty bad">Cannot load this view: ${r}</p>`:t===void 0?s`<p class="empty">Loading…</p>`:s`
    <${t} parameters=${e.parameters} />
  `}function st(){let[e,t]=$(de);return h(()=>{let n=()=>t(de());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function de(){let e=V(location.hash);return e.view===""?{...e,view:I[0]?.name??""}:e}var fe=document.getElementById("app");fe!==null&&F(s`<${pe} />`,fe);
