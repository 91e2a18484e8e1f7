import{b as O}from"./chunk-A2QCUI6K.js";import{a as w,b as h,c as K,e as x,f as T,g as E,h as y,i as V}from"./chunk-IFMVMU4S.js";import{a as J}from"./chunk-2JA6YJMZ.js";import{a as F,b as D,c as r,d as $,e as g,f as v,g as P,j as W,k,l as U,m as S}from"./chunk-WHMLTMNT.js";import"./chunk-WOT6VMZA.js";function B({onKnown:e}){let[t,n]=$("");return r`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <form onSubmit=${async o=>{o.preventDefault();let a=o.target.elements.namedItem("key");try{await k("session",a.value.trim()),e()}catch(i){n(i instanceof Error?i.message:String(i))}}}>
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
  `}var he={live:"live: converted",dry_run:"dry run: not converted",excluded:"excluded by the canary: not converted"};function X(){let{value:e,error:t}=y("figures",5e3);if(t!==void 0&&e===void 0)return r`<p class="empty bad">${t.message}</p>`;if(e===void 0)return r`<p class="empty">Loading…</p>`;let{canary:n,modes:s}=e;return r`
    <h1>Canary</h1>
    ${n===null?r`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`:r`<p class="notice"><strong>${n.sentence}</strong> The live side has ${K(n.share)} of the
          answers.</p>`}
    <${V} kind="mode" rows=${s.map(o=>({...o,name:he[o.name]??o.name}))} />
  `}var H=["text","client","model","upstream","state"];var R=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let s of n)this.#e.set(s.id,s);for(let s of this.#e.keys()){if(this.#e.size<=500)break;this.#e.delete(s)}}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function Y(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(s=>s!=="");return e.filter(s=>(t.client===""||(s.client??"none")===t.client)&&(t.model===""||s.model===t.model)&&(t.upstream===""||s.upstream===t.upstream)&&(t.state===""||ye(s,t.state))&&(n.length===0||be(s,n)))}function Q(e){let t=n=>[...new Set(e.flatMap(s=>n(s)??[]))].slice(0,50).sort();return{client:t(({client:n,route:s})=>s===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n)}}function ge({refused:e,nearMisses:t,failed:n,repaired:s,rejected:o}){return Object.keys(e).length>0||t>0||n>0||s>0||o>0}function C({state:e}){return e==="waiting"||e==="streaming"}function ye(e,t){return t==="running"?C(e):t==="noted"?ge(e):e.state===t}function be(e,t){let{client:n,model:s,upstream:o,error:a,route:i,called:c,refused:l,status:d,mode:u,id:p}=e,f=e.nearMisses>0?"near miss":"",m=[n,s,o,a,i,...c,...Object.keys(l),d,u,f,p].join(`
`).toLowerCase();return t.every(b=>m.includes(b))}var ve=2e3,we=250,ke={requests:[],hasContents:!1,state:"connecting"};function z(){let[e,t]=$(ke),n=v(new R).current;return g(()=>{let s,o,a,i=0,c=-1/0,l=!1,d=()=>{a=void 0,c=performance.now(),t({requests:n.latest,hasContents:l,state:"open"})},u=()=>{let f=Math.max(0,we-(performance.now()-c));a??=setTimeout(()=>i=requestAnimationFrame(d),f)},p=()=>{s=new EventSource("live"),s.onmessage=({data:f})=>{let m=JSON.parse(f);n.apply(m),l=m.hasContents,u()},s.onerror=()=>{s?.close(),t(f=>({...f,state:"lost"})),o=setTimeout(p,ve)}};return p(),()=>{s?.close(),clearTimeout(o),clearTimeout(a),cancelAnimationFrame(i)}},[]),e}function G(e){let[t,n]=$(),s=v({...e,selected:t});return s.current={...e,selected:t},g(()=>{let o=a=>{if(a.ctrlKey||a.metaKey||a.altKey||a.defaultPrevented)return;let{ids:i,opened:c,open:l,selected:d}=s.current,u=Se(a,Te(a.target)),p=a.target?.closest?.("a, button, summary")!=null;if(!(u===void 0||u==="open"&&p))if(u==="filter")a.preventDefault(),document.getElementById("filter")?.focus();else if(u==="leave")a.target.blur();else if(u==="close")l("");else if(u==="open")d!==void 0&&l(d);else{let f=xe(i,{from:d??c,step:u});n(f),c!==void 0&&f!==void 0&&l(f),document.getElementById(`row-${f}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",o),()=>removeEventListener("keydown",o)},[]),t}function Se({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter"}}function xe(e,{from:t,step:n}){let s=t===void 0?-1:e.indexOf(t);return s<0?e[0]:e[Math.min(e.length-1,Math.max(0,s+n))]}function Te(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var q={waiting:"waiting",streaming:"streaming",done:"done",error:"error",left:"client left"},A=class extends F{shouldComponentUpdate(t){let{request:n,isOpened:s,isSelected:o}=this.props;return t.request!==n||t.isOpened!==s||t.isSelected!==o}render({request:t,isOpened:n,isSelected:s,open:o}){let{id:a,state:i,beganAt:c,model:l,client:d,upstream:u,status:p,firstMs:f,durationMs:m,route:b}=t,fe=$e=>{$e.preventDefault(),o(a)};return r`
      <tr id=${`row-${a}`} class=${`${i} ${s?"selected":""}`} aria-current=${n?"true":void 0} onClick=${fe}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${q[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${a}`} aria-label=${`Open the request of ${T(c)}`}>${T(c)}</a></td>
        <td class="c-model" title=${l??""}>${b===null?l??w:r`<code>${b}</code>`}</td>
        <td class="c-client">${d??w}</td>
        <td class="c-upstream">${u??w}</td>
        <td class="number c-status">${p??"\u2026"}</td>
        <td class="number c-first">${h(f)}</td>
        <td class="number c-total">${m===null?"\u2026":h(m)}</td>
        <td class="c-calls">
          <${j} request=${t} />
        </td>
      </tr>
    `}};function j({request:e}){let{calls:t,called:n,refused:s,failed:o,repaired:a,nearMisses:i,accepted:c,rejected:l,error:d,mode:u}=e,p=Object.values(s).reduce((m,b)=>m+b,0),f=u==="live"?"":" (not converted)";return r`
    ${t>0&&r`<span class=${`chip ${u==="live"?"good":"plain"}`} title=${n.join(", ")}>${x(t,"call")}${f}</span>`}
    ${c>0&&r`<span class="chip good">${c} accepted</span>`}
    ${l>0&&r`<span class="chip bad">${l} rejected</span>`}
    ${p>0&&r`<span class="chip warn" title=${Object.keys(s).join(", ")}>${p} refused: ${Object.keys(s)[0]}</span>`}
    ${o>0&&r`<span class="chip bad">${o} broke off</span>`}
    ${a>0&&r`<span class="chip plain">${a} repaired</span>`}
    ${i>0&&r`<span class="chip warn">${x(i,"near miss","near misses")}</span>`}
    ${d!==null&&r`<span class=${`chip ${d==="client_left"?"plain":"bad"}`}>${d}</span>`}
  `}function Z({client:e,isStreamed:t},{chat:n,origin:s}){let o=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${s}${o} \\
  -H 'content-type: application/json' \\
  --data-raw ${Ee(n)}
`}function Ee(e){return`'${e.replaceAll("'","'\\''")}'`}function ee({request:e,detail:t}){let[n,s]=$(""),[o,a]=$(!1),i=t?.contents;if(i==null)return null;let{chat:c,before:l}=i,d=l.map(p=>p.text).join("");return r`
    <span class="actions">
      <span role="status" class="quiet">${o?"Copied":""}</span>
      ${c!==null&&r`<button onClick=${async()=>{let p=Z(e,{chat:c??"",origin:location.origin}),m=await navigator.clipboard?.writeText(p).then(()=>!0,()=>!1)??!1;a(m),s(m?"":p)}} title="The command has no key">Copy as curl</button>`}
      ${d!==""&&r`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void J({text:d,client:e.client,chat:c})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&r`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}function te(e){let{messages:t,tools:n,...s}=JSON.parse(e);return[ne("settings",JSON.stringify(s,null,2)),...Array.isArray(n)?[Oe(n)]:[],...Array.isArray(t)?t.map(Re):[]]}function Oe(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:`${e.length} tools`,summary:t.join(", "),text:JSON.stringify(e,null,2)}}function Re(e){let{role:t,content:n,...s}=Object(e),o=Ce(n),a=Object.keys(s).length===0?"":JSON.stringify(s,null,2);return ne(String(t??"message"),[o,a].filter(i=>i!=="").join(`

`))}function Ce(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function ne(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,200),text:t}}function se({chat:e}){return r`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${te(e).map(({title:t,summary:n,text:s})=>r`
          <details>
            <summary><strong>${t}</strong><span class="quiet">${n}</span></summary>
            <pre>${s}</pre>
          </details>
        `)}
    </section>
  `}function L(e){let t=O(e);switch(t.kind){case"decision":return t.outcome;case"repair":return"repaired";case"remark":case"plugin":return"noted"}}var N={call:"call",refused:"left as text",near:"near miss",broken:"broke off",repair:"repair",remark:"remark"};function M(e,t){if(e==="near_miss")return"near";switch(t){case"transformed":case"would_transform":return"call";case"abstained":return"refused";case"failed":return"broken";case"repaired":return"repair";case"noted":return"remark"}}function re({marks:e,isRunning:t,focused:n,focus:s}){return e.length===0?r`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:r`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((o,a)=>r`
        <li class=${a===n?"focused":""} onMouseEnter=${()=>s(a)}
          onMouseLeave=${()=>s(void 0)}>
          <${Ae} mark=${o} />
        </li>
      `)}</ol>
  `}function Ae({mark:{reason:e,rule:t,tool:n,detail:s,atMs:o,characters:a}}){let i=M(e,L(e)),c=[n===null?"":n,t===""?"":`rule ${t}`,s??"",a===null?"":`${a} characters`].filter(l=>l!=="").join(" \xB7 ");return r`
    <span class=${`chip ${i}`}>${N[i]}</span>
    <code>${e}</code>
    <span>${c}</span>
    <span class="quiet">after ${h(o)}</span>
    <span class="quiet block">${O(e)?.meaning}</span>
  `}var Le=["call","broken","near","refused","repair","remark"];function oe({parts:e,marks:t,focused:n,focus:s}){return e.every(({text:o})=>o==="")?r`<p class="empty">No text yet.</p>`:r`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(o=>{let a=o.marks.flatMap(u=>t[u]===void 0?[]:[t[u]]);if(a.length===0)return o.text;let i=a.map(({reason:u})=>M(u,L(u))),c=Le.find(u=>i.includes(u))??"remark",l=a.map(({reason:u,rule:p})=>`${u} (${p})`).join(`
`),d=n!==void 0&&o.marks.includes(n);return r`
        <mark class=${`${c} ${d?"focused":""}`} title=${`${N[c]}: ${l}`}
          onMouseEnter=${()=>s(o.marks[0])} onMouseLeave=${()=>s(void 0)}>${o.text}</mark>
      `})}</pre>
  `}function ae({parts:e}){return e.length===0?r`<p class="empty">Nothing yet.</p>`:r`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(t=>t.tool===null?Ne(t):r`<${Ie} part=${t} tool=${t.tool} />`)}</div>
  `}function Ne({text:e,call:t,isReasoning:n}){return n?r`<pre class="reasoning" title="Reasoning">${e}</pre>`:t===null?r`<pre>${e}</pre>`:r`<pre class="written"><mark class="call">${e}</mark></pre>`}var Me={open:"is still written",done:"whole",broken:"broke off"};function Ie({part:e,tool:t}){let{text:n,state:s}=e;return r`
    <div class=${`call ${s==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${s&&Me[s]}</span></div>
      <pre>${qe(n)}</pre>
    </div>
  `}function qe(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var je=300;function ie({request:e,hasContents:t,close:n}){let{detail:s,failure:o}=Pe(e),[a,i]=$(),c=v(null);g(()=>c.current?.focus(),[]);let l=s?.contents??null;return r`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${c}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${ee} request=${e} detail=${s} />
      </div>
      <${_e} request=${e} />
      ${o!==""&&r`<p class="notice bad" role="alert">${o}</p>`}
      ${l===null?r`<p class="notice">${De(e,{hasContents:t,isLoaded:s!==void 0})}</p>`:r`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${oe} parts=${l.before} marks=${s?.marks??[]} focused=${a} focus=${i} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
              <${ae} parts=${l.after} />
            </section>
          </div>
          ${l.isCut&&r`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
        `}
      <${re} marks=${s?.marks??[]} isRunning=${C(e)} focused=${a} focus=${i} />
      ${l?.chat!=null&&r`<${se} chat=${l.chat} />`}
    </article>
  `}function _e({request:e}){let{client:t,upstream:n,mode:s,status:o,firstMs:a,durationMs:i,addedMs:c,tools:l,beganAt:d,state:u,isStreamed:p}=e,f=[["State",q[u]],["Status",o??"\u2026"],["Arrived",T(d)],["First token",h(a)],["Total",i===null?"\u2026":h(i)],["Dragoman\u2019s share",h(c)],["Client",t??"unknown"],["Upstream",n??w],["Offered tools",l],["Answer",p?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[s]]];return r`
    <dl class="facts">${f.map(([m,b])=>r`
        <div>
          <dt>${m}</dt>
          <dd>${b}</dd>
        </div>
      `)}</dl>
    <${Fe} request=${e} />
    <p class="remarks">
      <${j} request=${e} />
    </p>
  `}function Fe({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return r`
    <div class="timing" role="img" aria-label=${`${h(e)} until the first token, ${h(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
  `}function De({client:e,route:t,upstream:n},{hasContents:s,isLoaded:o}){return o?t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":s?e===null?"The client is unknown, so the answer passed unchanged.":"The texts of this request aren't kept anymore.":"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":"Loading\u2026"}function Pe(e){let[t,n]=$(),[s,o]=$(""),a=v(-1),{id:i,accepted:c,rejected:l}=e,d=C(e);return g(()=>{let u=!0,p=async()=>{try{let m=await W(`live/${encodeURIComponent(i)}?version=${a.current}`);if(!u||m===void 0)return;a.current=m.version,n(m),o("")}catch(m){u&&o(m instanceof Error?m.message:String(m))}};p();let f=d?setInterval(()=>document.hidden||void p(),je):void 0;return()=>{u=!1,clearInterval(f)}},[i,d,c,l]),{detail:t,failure:s}}var Ke=100;function le({parameters:e}){let t=z(),n=Object.fromEntries(H.map(l=>[l,e.get(l)??""])),s=P(()=>Y(t.requests,n),[t.requests,e.toString()]),o=t.requests.find(({id:l})=>l===e.get("request")),a=l=>{location.replace(S("live",{...Object.fromEntries(e),...l}))},i=l=>a({request:l}),c=G({ids:s.map(({id:l})=>l),opened:o?.id,open:i});return r`
    <div class=${`live ${o===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${o===void 0&&r`<h1 class="unseen">Requests</h1>`}
        <${Ue} filter=${n} requests=${t.requests} go=${a} />
        <${Ve} live=${t} shown=${s.length} />
        <${Je} requests=${s} opened=${o?.id} selected=${c} open=${i} />
      </section>
      ${o!==void 0&&r`
        <${ie}
          key=${o.id} request=${o} hasContents=${t.hasContents} close=${()=>i("")} />
      `}
    </div>
  `}var We={running:"running",done:"done",error:"error",left:"client left",noted:"with remarks"};function Ue({filter:e,requests:t,go:n}){let s=Q(t),o=c=>l=>n({[c]:l.target.value}),a=(c,l,d)=>r`
      <select aria-label=${l} value=${e[c]} onChange=${o(c)}>
        <option value="">${l}</option>
        ${d.map(([u,p])=>r`<option value=${u}>${p}</option>`)}
      </select>
    `,i=c=>[...new Set([...s[c],...e[c]===""?[]:[e[c]]])].map(l=>[l,l]);return r`
    <form class="filter" role="search" onSubmit=${c=>c.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${o("text")} />
      ${a("client","All clients",i("client"))}
      ${a("model","All models",i("model"))}
      ${a("upstream","All upstreams",i("upstream"))}
      ${a("state","All states",Object.entries(We))}
    </form>
  `}function Ve({live:e,shown:t}){let{requests:n,state:s}=e;return s==="connecting"?r`<p class="empty">Loading…</p>`:s==="lost"?r`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?r`
      <p class="empty">No requests yet. Point your agent to <code>${location.origin}/v1</code></p>
    `:t>0?null:r`<p class="empty">No request matches the filter.</p>`}function Je({requests:e,opened:t,selected:n,open:s}){let[o,a]=$(!1);if(e.length===0)return null;let i=o?e:e.slice(0,Ke),c=e.length-i.length;return r`
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
    ${c>0&&r`<button class="more" onClick=${()=>a(!0)}>Show ${c} more</button>`}
  `}function ce(){let{value:e,error:t}=y("plugins",5e3),{value:n,error:s,reload:o}=y("sections/store",3e3),a=t??s,i=async c=>{await k(`sections/store/reset?key=${encodeURIComponent(c)}`).catch(()=>{}),o()};return r`
    <h1>Plugins</h1>
    ${a!==void 0&&r`<p class="notice bad" role="alert">${a.message}</p>`}
    ${e===void 0?r`<p class="empty">Loading…</p>`:r`<${Be} plugins=${e} />`}
    <h2>What they remember</h2>
    ${n===void 0||n.length===0?r`<p class="empty">Nothing. Plugins count the strikes of a conversation, or keep calls for its next request.</p>`:r`<${Xe} entries=${n} reset=${i} />`}
  `}function Be({plugins:e}){return e.length===0?r`<p class="empty">No plugin runs. <code>plugins</code> in dragoman.yaml names them.</p>`:r`
    <ol class="plugins">${e.map(({name:t,description:n,options:s,onFailure:o})=>r`
        <li key=${t}>
          <code><strong>${t}</strong></code>
          ${o==="refuse"&&r`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${n!==null&&r`<span class="block">${n}</span>`}
          <dl class="options">${Object.entries(s).map(([a,i])=>r`
              <div>
                <dt><code>${a}</code></dt>
                <dd><code>${JSON.stringify(i)}</code></dd>
              </div>
            `)}</dl>
        </li>
      `)}</ol>
  `}function Xe({entries:e,reset:t}){return r`
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
          ${e.map(({key:n,value:s,leftSeconds:o})=>r`
              <tr key=${n}>
                <th scope="row"><code>${n}</code></th>
                <td>${String(s)}</td>
                <td class="number">${E(o)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var _=["transformed","would_transform","abstained","failed","repaired"],He={transformed:"Calls",would_transform:"Would be calls",abstained:"Left as text",failed:"Broke off",repaired:"Repairs"};function ue({parameters:e}){let{value:t,error:n}=y("rules",5e3),s=e.get("text")??"";if(n!==void 0&&t===void 0)return r`<p class="empty bad">${n.message}</p>`;if(t===void 0)return r`<p class="empty">Loading…</p>`;let o=i=>location.replace(S("rules",{text:i.target.value})),a=Ye(t,s);return r`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:i})=>i===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${i=>i.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${s} onInput=${o} />
    </form>
    ${a.length===0?r`<p class="empty">No rule matches the filter.</p>`:r`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
              ${_.map(i=>r`<th scope="col" class="number">${He[i]}</th>`)}
            </tr>
          </thead>
          <tbody>${a.map(Qe)}</tbody>
        </table>
      </div>
    `}
  `}function Ye(e,t){let n=o=>_.reduce((a,i)=>a+(o.hits[i]??0),0),s=t.trim().toLowerCase();return e.filter(({rule:o,description:a})=>`${o}
${a}`.toLowerCase().includes(s)).toSorted((o,a)=>n(a)-n(o)||+(o.whyOff!==null)-+(a.whyOff!==null)||(o.rule<a.rule?-1:1))}function Qe({rule:e,description:t,whyOff:n,confidence:s,hits:o}){return r`
    <tr key=${e}>
      <th scope="row"><code>${e}</code><span class="quiet block">${t}</span></th>
      <td>${n===null?r`<span class="chip good">on</span>`:r`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td class="number">${s.toFixed(2)}</td>
      ${_.map(a=>r`<td class="number">${o[a]??r`<span class="quiet">0</span>`}</td>`)}
    </tr>
  `}var I=[{name:"live",title:"Live",load:()=>Promise.resolve(le)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-DI6EFMI2.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(ue)},{name:"playground",title:"Playground",load:async()=>await(await import("./load-TGDS3IB5.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(ce)},{name:"canary",title:"Canary",load:()=>Promise.resolve(X)}];var ze=1e4;function pe(){let e=tt(),t=y("status",ze);return t.error?.status===401?r`<${B} onKnown=${t.reload} />`:r`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${I.map(({name:n,title:s})=>r`<a href=${S(n)} aria-current=${e.view===n?"page":void 0}>${s}</a>`)}
      </nav>
      <${Ge} status=${t.value} isLost=${t.error!==void 0} />
    </header>
    <main id="main" tabindex="-1">
      <${et} key=${e.view} route=${e} />
    </main>
  `}function Ge({status:e,isLost:t}){let[n,s]=$(""),o=async()=>{s("Reloading\u2026"),s(await k("reload").then(Ze,i=>String(i)))},a=t?"no connection":e===void 0?"":`v${e.version}, up ${E(e.uptimeSeconds)}`;return r`
    <span class=${`server ${t?"bad":""}`} role="status">${n===""?a:n}</span>
    <button onClick=${o} title="Reload configuration, rules, clients and plugins">Reload</button>
  `}function Ze({isReloaded:e,errors:t,diagnostics:n}){return e?"Reloaded":`Not reloaded: ${x(t,"error")}. ${n[0]?.message??""}`}function et({route:e}){let[t,n]=$(),[s,o]=$(""),a=I.find(({name:i})=>i===e.view);return g(()=>{a!==void 0&&(document.title=`${a.title} \xB7 Dragoman`,a.load().then(i=>n(()=>i),i=>o(String(i))))},[a]),a===void 0?r`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:s!==""?r`<p class="empty bad">Cannot load this view: ${s}</p>`:t===void 0?r`<p class="empty">Loading…</p>`:r`
    <${t} parameters=${e.parameters} />
  `}function tt(){let[e,t]=$(de);return g(()=>{let n=()=>t(de());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function de(){let e=U(location.hash);return e.view===""?{...e,view:I[0]?.name??""}:e}var me=document.getElementById("app");me!==null&&D(r`<${pe} />`,me);
