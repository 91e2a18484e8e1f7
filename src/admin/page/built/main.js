import{a as k,b as g,c as ne,d as oe}from"./chunk-962ab398.js";import{b as H}from"./chunk-20267f44.js";import{a as P,b as V}from"./chunk-17671dbd.js";import"./chunk-e8bd4cc0.js";import{a as z,b as X,c as s,d as $,e as v,f as x,g as q,i as S,j as E,k as Y,l as Q,m as O,n as W,o as N,p as I,r as M,s as Z,t as L,u as ee,v as te,w}from"./chunk-c371a21e.js";import"./chunk-ff9e0dca.js";function re({servers:e=[],learnedTools:t=[],learnedChanges:n=[]}){return[...e.map(({upstream:o,server:a,version:r="",begins:i="",context:c,why:l,warning:u})=>[`${o}: ${a} ${r}`.trim(),c===void 0?"":`${c} tokens of context`,Ae[i],l,u].filter(Boolean).join(", ")),...t.map(({upstream:o,model:a,reason:r,dialect:i})=>{let c=i===""?"read raw":`tools in the prompt (${i})`;return`${o}, ${a||"any model"}: ${c}, because of ${se[r]??r}`}),...n.map(({upstream:o,model:a,changes:r})=>{let i=Re.filter(c=>r.some(l=>l[c]!==void 0));return`${o}, ${a||"any model"}: ${i.join(", ")} changed, because of ${se.refused}`})].join(`
`)}var Re=["messages","fields","schemas","ids","tool_choice"],Ae={raw:"raw mode from the first request",prompted:"tools in the prompt from the first request"},se={refused:"a refused request",refused_calls:"a refused conversation that contained calls",unparsed:"the server's parser"};function ae(e,t){for(let n of e.keys()){if(e.size<=t)return;e.delete(n)}}function D(e){let{mode:t,calls:n,called:o,leftAsText:a,failed:r,lost:i,refused:c,dropped:l,repaired:u,nearMisses:p}=e,d=Object.entries(a),m=d.reduce((h,[,A])=>h+A,0),f=d.map(([h,A])=>A===1?h:`${A} ${h}`),y=d.length===1?[d[0][0]]:f,b=t==="live"?"made":"would",T=t==="live"?"":t==="dry_run"?"(not converted: dry run)":"(not converted: canary)";return[[b,n,Me(o,n),T],["lost",i,`${i} ${g.lost.word}`],["broken",r,`${r} ${g.broken.word}`],["refused",c,`${c} ${g.refused.word}`],["near",p,O(p,"near miss","near misses")],["left",m,`${m} ${g.left.word}`,`(${y.join(", ")})`],["dropped",l,`${l} ${g.dropped.word}`],["repaired",u,O(u,"repair")]].filter(([,h])=>h>0).map(([h,,A,Ce=""])=>({end:h,text:A,more:Ce}))}var Ne=3;function Me(e,t){let n=new Map;for(let r of e)n.set(r,(n.get(r)??0)+1);if(n.size===0)return O(t,"call");let o=[...n].slice(0,Ne),a=t-o.reduce((r,[,i])=>r+i,0);return o.map(([r,i])=>`${r} \xD7${i}`).join(", ")+(a>0?`, ${a} more`:"")}function R({state:e}){return e==="waiting"||e==="streaming"}var ie=["text","client","model","upstream","wire","key","state"],Le=500,De=50,_=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let o of n)this.#e.set(o.id,o);ae(this.#e,Le)}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function le(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(o=>o!=="");return e.filter(o=>(t.client===""||(o.client??"none")===t.client)&&(t.model===""||o.model===t.model)&&(t.upstream===""||o.upstream===t.upstream)&&(t.wire===""||(o.wire??"none")===t.wire)&&(t.key===""||(o.key??"none")===t.key)&&(t.state===""||qe(o,t.state))&&(n.length===0||Ie(o,n)))}function ce(e){let t=n=>[...new Set(e.flatMap(o=>n(o)??[]))].slice(0,De).sort();return{client:t(({client:n,route:o})=>o===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n),wire:t(({wire:n})=>n),key:t(({key:n,route:o})=>o===null?n??"none":n)}}function je(e){return e.rejected>0||D(e).some(({end:t})=>t!=="made"&&t!=="would")}function qe(e,t){return t==="running"?R(e):t==="noted"?je(e):e.state===t}function Ie(e,t){let{client:n,model:o,upstream:a,wire:r,key:i,error:c,message:l,route:u,status:p,mode:d,id:m}=e,f=[n,o,a,r,i,c,u,l,...D(e).map(({text:y,more:b})=>`${y} ${b}`),...e.remarks,p,d,m].join(`
`).toLowerCase();return t.every(y=>f.includes(y))}var Pe=2e3,_e=50,Fe={requests:[],hasContents:!1,state:"connecting"};function ue(){let[e,t]=$(Fe),n=x(new _).current;return v(()=>{let o,a,r,i=0,c=-1/0,[l,u]=[!1,!1],p=()=>{r=void 0,u&&(setTimeout(()=>c=performance.now()),t({requests:n.latest,hasContents:l,state:"open"}))},d=()=>{let b=Math.max(0,_e-(performance.now()-c));r??=setTimeout(()=>i=requestAnimationFrame(p),b)},m=()=>{o?.close(),o=void 0,u=!1},f=()=>{clearTimeout(a),!(document.hidden||o!==void 0)&&(o=new EventSource("live"),o.onmessage=({data:b})=>{let T=JSON.parse(b);n.apply(T),[l,u]=[T.hasContents,!0],d()},o.onerror=()=>{m(),t(b=>({...b,state:"lost"})),a=setTimeout(f,Pe)})},y=()=>document.hidden?m():f();return f(),document.addEventListener("visibilitychange",y),()=>{document.removeEventListener("visibilitychange",y),m(),clearTimeout(a),clearTimeout(r),cancelAnimationFrame(i)}},[]),e}function de(e){let[t,n]=$(),o=x({...e,selected:t});return o.current={...e,selected:t},v(()=>{let a=r=>{if(r.ctrlKey||r.metaKey||r.altKey||r.defaultPrevented)return;let{ids:i,opened:c,open:l,selected:u,acts:p}=o.current,d=Ke(r,He(r.target)),m=r.target?.closest?.("a, button, summary")!=null;if(!(d===void 0||d==="open"&&m))if(d==="filter")r.preventDefault(),document.getElementById("filter")?.focus();else if(d==="leave")r.target.blur();else if(d==="pause"||d==="clear"||d==="help")p[d]();else if(d==="close")l("");else if(d==="open")u!==void 0&&l(u);else{let f=We(i,{from:u??c,step:d});n(f),c!==void 0&&f!==void 0&&l(f),document.getElementById(`row-${f}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",a),()=>removeEventListener("keydown",a)},[]),t}function Ke({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter";case"p":return"pause";case"c":return"clear";case"?":return"help"}}function We(e,{from:t,step:n}){let o=t===void 0?-1:e.indexOf(t);return o<0?e[0]:e[Math.min(e.length-1,Math.max(0,o+n))]}function He(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var U={waiting:"waiting",streaming:"streaming",done:"done",cut:"cut off",error:"error",left:"client left"},F=class extends z{shouldComponentUpdate(t){let{request:n,isOpened:o,isSelected:a}=this.props;return t.request!==n||t.isOpened!==o||t.isSelected!==a}render({request:t,isOpened:n,isSelected:o,open:a}){let{id:r,state:i,beganAt:c,model:l,client:u,upstream:p,wire:d,key:m,firstMs:f,durationMs:y,route:b}=t,T=C=>{C.preventDefault(),a(r)};return s`
      <tr id=${`row-${r}`} class=${`${i} ${o?"selected":""}`} aria-current=${n?"true":void 0} onClick=${T}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${U[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${r}`} title=${N(c)} aria-label=${`Open the request of ${W(c)}`}>${W(c)}</a></td>
        <td class="c-model" title=${l??""}><span>${b===null?l??S:s`<code>${b}</code>`}</span></td>
        <td class="c-client">${u??S}</td>
        <td class="c-key" title=${m??""}>${[d,m].filter(C=>C!==null).join(" \xB7 ")||S}</td>
        <td class="c-upstream">${p??S}</td>
        <td class="number c-status">${J(t)}</td>
        <td class="number c-first">${E(f)}</td>
        <td class="number c-total">${y===null?"\u2026":E(y)}</td>
        <td class="c-calls">
          <${B} request=${t} />
        </td>
      </tr>
    `}};function Ve(e){return e.split(/(?<=_)/).map((t,n)=>[n>0&&s`<wbr />`,t])}function J({status:e,state:t}){return e===null?"\u2026":t==="error"&&e<400?`${e} error`:String(e)}function B({request:e}){let{accepted:t,rejected:n,remarks:o,error:a,message:r,tried:i}=e;return s`
    ${D(e).map(({end:c,text:l,more:u})=>s`<span class=${`chip ${g[c].color}`} title=${`${l} ${u}`}>${l}${u===""?"":[" ",s`<span class="why">${u}</span>`]}</span>`)}
    ${t>0&&s`<span class="chip good">${t} accepted</span>`}
    ${n>0&&s`<span class="chip bad">${n} rejected</span>`}
    ${o.map(c=>s`<span class="chip plain">${c}</span>`)}
    ${a!==null&&s`<span class=${`chip ${a==="client_left"?"plain":"bad"}`} title=${r??""}>${Ve(a)}${r===null?"":s`<span class="why">: ${r}</span>`}</span>`}
    ${i.length>0&&s`<span class="chip warn">after ${i.join(", ")}</span>`}
  `}function pe({parts:e,isRunning:t,marks:n,focused:o,focus:a}){return e.every(({text:r})=>r==="")?s`<p class="empty">${t?"No text yet.":"The answer has no text."}</p>`:s`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(r=>{let i=r.marks.flatMap(m=>n[m]===void 0?[]:[n[m]]);if(i.length===0)return r.text;let c=ne.find(m=>i.some(f=>f.end===m))??"remark",{color:l,word:u}=g[c],p=i.map(({reason:m,rule:f})=>`${m} (${f})`).join(`
`),d=o!==void 0&&r.marks.includes(o);return s`
        <mark class=${`${l} ${d?"focused":""}`} title=${`${u}: ${p}`}
          onMouseEnter=${()=>a(r.marks[0])} onMouseLeave=${()=>a(void 0)}>${r.text}</mark>
      `})}</pre>
  `}function me({parts:e,isRunning:t}){return e.length===0?s`<p class="empty">${t?"Nothing yet.":"The answer has no text and no call."}</p>`:s`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(n=>n.tool===null?Ue(n):s`<${Be} part=${n} tool=${n.tool} />`)}</div>
  `}function Ue({text:e,call:t,isReasoning:n}){return n?s`
      <div class="reasoning" role="group" aria-label="Reasoning">
        <div class="quiet">Reasoning</div>
        <pre>${e}</pre>
      </div>
    `:t===null?s`<pre>${e}</pre>`:s`<pre class="written"><mark class="good">${e}</mark></pre>`}var Je={open:"is still written",done:"whole",broken:"broke off"};function Be({part:e,tool:t}){let{text:n,state:o}=e;return s`
    <div class=${`made ${o==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${o&&Je[o]}</span></div>
      <pre>${Ge(n)}</pre>
    </div>
  `}function Ge(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var ze=200;function fe(e){let{messages:t,tools:n,...o}=JSON.parse(e);return[$e("settings",JSON.stringify(o,null,2)),...Array.isArray(n)?[Xe(n)]:[],...Array.isArray(t)?t.map(Ye):[]]}function Xe(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:O(e.length,"tool"),summary:t.join(", "),text:JSON.stringify(e,null,2)}}function Ye(e){let{role:t,content:n,...o}=Object(e),a=Qe(n),r=Object.keys(o).length===0?"":JSON.stringify(o,null,2);return $e(String(t??"message"),[a,r].filter(i=>i!=="").join(`

`))}function Qe(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function $e(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,ze),text:t}}function he({client:e,isStreamed:t},{chat:n,origin:o}){let a=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${o}${a} \\
  -H 'content-type: application/json' \\
  --data-raw ${Ze(n)}
`}function ge(e){let t=JSON.stringify({model:"any",messages:[{role:"user",content:"Hello"}]});return`curl ${e}/v1/chat/completions \\
  -H 'content-type: application/json' \\
  -d '${t}'
`}function Ze(e){return`'${e.replaceAll("'","'\\''")}'`}var et=300;function ye({request:e,hasContents:t,close:n}){let{detail:o,failure:a}=at(e),[r,i]=$(),c=x(null);v(()=>c.current?.focus(),[]);let l=o?.contents??null,u=rt(e,{hasContents:t,detail:o});return s`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${c}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${lt} request=${e} detail=${o} />
      </div>
      <${tt} request=${e} />
      ${e.state==="error"&&s`
        <p class="notice bad">The request ended with status ${e.status}${e.error!==null&&s`, error <code>${e.error}</code>`}${e.message!==null&&s`: ${e.message}`}.${o?.errorMeaning!=null&&s`
            <span class="block">${P(o.errorMeaning)}</span>
          `}</p>
      `}
      ${e.nearMisses>0&&s`<${ct} request=${e} detail=${o} />`}
      ${a!==""&&s`<p class="notice bad" role="alert">${a}</p>`}
      ${l===null||u!==void 0?s`<p class="notice">${P(u??"")}</p>`:s`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${pe} parts=${l.before} isRunning=${R(e)} marks=${o?.marks??[]} focused=${r}
                focus=${i} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
              <${me} parts=${l.after} isRunning=${R(e)} />
            </section>
          </div>
          ${l.isCut&&s`<p class="notice">The contents are long, so only the beginnings are stored.</p>`}
        `}
      ${o!==void 0&&(e.client!==null||o.marks?.length)&&s`
        <${ut} marks=${o.marks} isRunning=${R(e)} focused=${r} focus=${i} />
      `}
      ${l?.chat!=null&&s`<${it} chat=${l.chat} />`}
    </article>
  `}function tt({request:e}){let{client:t,wire:n,key:o,tried:a,upstream:r,mode:i,firstMs:c,durationMs:l,addedMs:u,tools:p,tokens:d,beganAt:m,state:f,isStreamed:y}=e,b=[["State",U[f]],["Status",J(e)],["Arrived",N(m)],["First token",E(c)],["Total",l===null?"\u2026":E(l)],["Dragoman\u2019s share",E(u)],["Client",t??"unknown"],["API",n??S],["Client key",o??"without a name"],["Upstream",(r??S)+(a.length===0?"":`, after ${a.join(", ")}`)],["Offered tools",p],["Prompt",nt(e)],["Tokens",d==null?S:Q(d)],["Conversation",ot(e)],["Answer",y?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[i]]];return s`
    <dl class="facts">${b.map(([T,C])=>s`
        <div>
          <dt>${T}</dt>
          <dd>${C}</dd>
        </div>
      `)}</dl>
    <${st} request=${e} />
    <p class="remarks">
      <${B} request=${e} />
    </p>
  `}function nt({promptTokens:e,cachedTokens:t}){return e===void 0?S:t===void 0?`${e} tokens`:`${e} tokens: ${e-t} new, ${t} from the cache`}function ot({conversationPrompts:e}){if(e===void 0||e.tokens===0)return S;let{requests:t,tokens:n,cached:o}=e,a=Math.round((n-o)/n*100);return`${O(t,"request")} so far: ${a}% of ${n} tokens new`}function st({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return s`
    <div class="timing" role="img" aria-label=${`${E(e)} until the first token, ${E(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
    <ul class="legend" aria-hidden="true">
      <li><span class="swatch wait"></span>until the first token</li>
      <li><span class="swatch accent"></span>answer</li>
    </ul>
  `}function rt({client:e,route:t,upstream:n,choices:o},{hasContents:a,detail:r}){if(r===void 0)return"Loading\u2026";let i=r.contents!==null;return t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":!i&&!a?"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":e===null&&r.contents?.before.length===0?"The client is unknown, or it offers no tools, so the answer passed unchanged.":o!==1?`The request asks for ${o} answers. Their text would be mixed together, so the page doesn't keep it.`:i?void 0:"The contents of this request are no longer stored."}function at(e){let[t,n]=$(),[o,a]=$(""),r=x(-1),{id:i,accepted:c,rejected:l}=e,u=R(e);return v(()=>{let p=!0,d=async()=>{try{let f=await Z(`live/${encodeURIComponent(i)}?version=${r.current}`);if(!p||(a(""),f===void 0))return;r.current=f.version,n(f)}catch(f){p&&a(M(f))}};d();let m=u?setInterval(()=>document.hidden||void d(),et):void 0;return()=>{p=!1,clearInterval(m)}},[i,u,c,l]),{detail:t,failure:o}}function it({chat:e}){let t=q(()=>fe(e),[e]);return s`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${t.map(({title:n,summary:o,text:a})=>s`
          <details>
            <summary><strong>${n}</strong><span class="quiet">${o}</span></summary>
            <pre>${a}</pre>
          </details>
        `)}
    </section>
  `}function lt({request:e,detail:t}){let[n,o]=$(""),[a,r]=$(!1),i=t?.contents;if(i==null)return null;let{chat:c,before:l}=i,u=l.map(d=>d.text).join("");return s`
    <span class="actions">
      <span role="status" class="quiet">${a?"Copied":""}</span>
      ${c!==null&&s`<button onClick=${async()=>{let d=he(e,{chat:c??"",origin:location.origin}),f=await navigator.clipboard?.writeText(d).then(()=>!0,()=>!1)??!1;r(f),o(f?"":d)}} title="The command doesn't include the key">Copy as curl</button>`}
      ${u!==""&&s`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void V({text:u,client:e.client,chat:c})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&s`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}function ct({request:e,detail:t}){let{client:n,command:o}=e,a=t?.contents??null,r=a?.before.map(c=>c.text).join("")??"",i=()=>void V({text:r,client:n,chat:a?.chat??null});return s`
    <section class="notice next" aria-labelledby="next-title">
      <h2 id="next-title">Near miss: the answer looks like a call that no rule reads</h2>
      ${r!==""&&s`
        <p><a class="button main" href=${w("playground",{from:"live",derive:"1"})}
            onClick=${i}>Derive a rule in the playground</a></p>
      `}
      ${o!==null&&s`
        <p>On the command line:</p>
        <${G} command=${o} />
      `}
      ${r===""&&s`
        <p>The text of this answer isn’t stored, so no rule can be derived from it here. To store the next one,
          set <code>admin.contents: true</code> in dragoman.yaml, which applies at once${o===null&&s`, or start <code>serve --record captures</code>`}.</p>
      `}
    </section>
  `}function G({command:e}){let[t,n]=$("");return s`
    <pre class="text" tabindex="0" aria-label="The command">${e}</pre>
    <p><button onClick=${async()=>{let r=await navigator.clipboard?.writeText(e).then(()=>!0,()=>!1)??!1;n(r?"Copied":"The browser doesn\u2019t allow copying: select the command")}}>Copy the command</button> <span role="status" class="quiet">${t}</span></p>
  `}function ut({marks:e,isRunning:t,focused:n,focus:o}){return e===null?s`<p class="empty">The decisions of this request are no longer stored.</p>`:e.length===0?s`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:s`
    <h2>Decisions, repairs, and remarks</h2>
    <ol class="marks">${e.map((a,r)=>s`
        <li class=${r===n?"focused":""} onMouseEnter=${()=>o(r)}
          onMouseLeave=${()=>o(void 0)}>
          <${dt} mark=${a} />
        </li>
      `)}</ol>
  `}function dt({mark:{end:e,reason:t,rule:n,tool:o,detail:a,atMs:r,characters:i}}){let{word:c,color:l}=g[e],u=[o===null?"":o,n===""?"":`rule ${n}`,a??"",i===null?"":`${i} characters`].filter(p=>p!=="").join(" \xB7 ");return s`
    <span class=${`chip ${l}`}>${c}</span>
    <code>${t}</code>
    <span>${u}</span>
    ${r!==null&&s`<span class="quiet">after ${E(r)}</span>`}
    <span class="quiet block">${P(H(t)?.meaning??"")}</span>
  `}var pt=60;function be({parameters:e}){let{live:t,isPaused:n,pause:o,clear:a}=mt(ue()),[r,i]=$(!1),c=Object.fromEntries(ie.map(h=>[h,e.get(h)??""])),l=q(()=>le(t.requests,c),[t.requests,e.toString()]),u=ht(t.requests,e.get("request")),[p,d]=$(!1),m=p?l:l.slice(0,pt),f=h=>{location.replace(w("live",{...Object.fromEntries(e),...h}))},y=h=>f({request:h}),b=()=>i(h=>!h),T={pause:o,clear:a,help:b},C=de({ids:m.map(({id:h})=>h),opened:u?.id,open:y,acts:T});return s`
    <div class=${`live ${u===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${u===void 0&&s`<h1 class="unseen">Requests</h1>`}
        <${yt} filter=${c} requests=${t.requests} go=${f}>
          <button type="button" onClick=${o} aria-pressed=${n} title="p">${n?"Go on":"Pause"}</button>
          <button type="button" onClick=${a} title="Hide the requests so far (c)">Clear</button>
          <button type="button" onClick=${b} aria-expanded=${r} aria-label="Keys" title="Keys (?)">?</button>
        <//>
        ${r&&s`<${$t} />`}
        <${wt} live=${t} shown=${l.length} />
        <${vt} requests=${m} opened=${u?.id} selected=${C} open=${y} />
        ${m.length<l.length&&s`
          <button class="more" onClick=${()=>d(!0)}>Show ${l.length-m.length} more</button>
        `}
      </section>
      ${u!==void 0&&s`
        <${ye}
          key=${u.id} request=${u} hasContents=${t.hasContents} close=${()=>y("")} />
      `}
    </div>
  `}function mt(e){let[t,n]=$(),[o,a]=$(0),r=t??e;return{live:o===0?r:{...r,requests:r.requests.filter(({beganAt:i})=>i>o)},isPaused:t!==void 0,pause:()=>n(t===void 0?e:void 0),clear:()=>a(Math.max(o,...r.requests.map(({beganAt:i})=>i)))}}var ft={"j k":"select the next or the previous request",Enter:"open it",Esc:"close it","/":"filter",p:"pause",c:"clear","?":"show these keys"};function $t(){return s`
    <dl class="notice keys">${Object.entries(ft).map(([e,t])=>s`
        <div>
          <dt><kbd>${e}</kbd></dt>
          <dd>${t}</dd>
        </div>
      `)}</dl>
  `}function ht(e,t){let n=x(),o=n.current?.id===t?n.current:void 0;return n.current=e.find(a=>a.id===t)??o}var gt={running:"running",done:"done",cut:"cut off",error:"error",left:"client left",noted:"with remarks"};function yt({filter:e,requests:t,go:n,children:o}){let a=ce(t),r=l=>u=>n({[l]:u.target.value}),i=(l,u,p)=>s`
      <select aria-label=${u} value=${e[l]} onChange=${r(l)}>
        <option value="">${u}</option>
        ${p.map(([d,m])=>s`<option value=${d}>${m}</option>`)}
      </select>
    `,c=l=>[...new Set([...a[l],...e[l]===""?[]:[e[l]]])].map(u=>[u,u]);return s`
    <form class="filter" role="search" onSubmit=${l=>l.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${r("text")} />
      ${i("client","All clients",c("client"))}
      ${i("model","All models",c("model"))}
      ${i("upstream","All upstreams",c("upstream"))}
      ${i("wire","All APIs",c("wire"))}
      ${bt(a.key,e.key)&&i("key","All client keys",c("key"))}
      ${i("state","All states",Object.entries(gt))}
      ${o}
    </form>
  `}function bt(e,t){return t!==""||e.some(n=>n!=="none")}function wt({live:e,shown:t}){let{requests:n,state:o}=e;return o==="connecting"?s`<p class="empty">Loading…</p>`:o==="lost"?s`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?s`
      <div class="empty">
        <p>No requests yet. Set your agent's base URL to <code>${location.origin}/v1</code>, or try it:</p>
        <${G} command=${ge(location.origin)} />
      </div>
    `:t>0?null:s`<p class="empty">No request matches the filter.</p>`}function vt({requests:e,opened:t,selected:n,open:o}){return e.length===0?null:s`
    <div class="wide" tabindex="0" role="region" aria-label="List of requests">
      <table class="requests">
        <thead>
          <tr>
            <th scope="col" class="c-state">State</th>
            <th scope="col" class="c-time">Time</th>
            <th scope="col" class="c-model">Model</th>
            <th scope="col" class="c-client">Client</th>
            <th scope="col" class="c-key">API and key</th>
            <th scope="col" class="c-upstream">Upstream</th>
            <th scope="col" class="number c-status">Status</th>
            <th scope="col" class="number c-first">First token</th>
            <th scope="col" class="number c-total">Total</th>
            <th scope="col" class="c-calls">Calls and remarks</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(a=>s`
              <${F} key=${a.id} request=${a} isOpened=${a.id===t}
                isSelected=${a.id===n} open=${o} />
            `)}
        </tbody>
      </table>
    </div>
  `}function we(){let{value:e,error:t}=k("plugins",5e3),{value:n,error:o,reload:a}=k("sections/store",3e3),r=t??o,i=async c=>{await L(`sections/store/reset?key=${encodeURIComponent(c)}`).catch(()=>{}),a()};return s`
    <h1>Plugins</h1>
    ${r!==void 0&&s`<p class="notice bad" role="alert">${r.message}</p>`}
    ${e===void 0?s`<p class="empty">Loading…</p>`:s`<${xt} plugins=${e} />`}
    <h2>Stored values</h2>
    ${n===void 0||n.length===0?s`<p class="empty">None. Plugins store, for example, a conversation's strikes or queued calls.</p>`:s`<${St} entries=${n} reset=${i} />`}
  `}function kt(e){return JSON.stringify(e,void 0,1).replace(/(?<=[[{])\n *|\n *(?=[\]}])/g,"").replace(/\n */g," ")}function xt({plugins:e}){return e.length===0?s`<p class="empty">No plugins. To add some, set <code>plugins</code> in dragoman.yaml.</p>`:s`
    <ol class="plugins">${e.map(({name:t,description:n,options:o,onFailure:a})=>s`
        <li key=${t}>
          <code><strong>${t}</strong></code>
          ${a==="refuse"&&s`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${n!==null&&s`<span class="block">${n}</span>`}
          <dl class="options">${Object.entries(o).map(([r,i])=>s`
              <div>
                <dt><code>${r}</code></dt>
                <dd><code>${kt(i)}</code></dd>
              </div>
            `)}</dl>
        </li>
      `)}</ol>
  `}function St({entries:e,reset:t}){return s`
    <div class="wide stored" tabindex="0" role="region" aria-label="Stored values">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Value</th>
            <th scope="col" class="number">Expires in</th>
            <th scope="col"><span class="unseen">Action</span></th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({key:n,value:o,leftSeconds:a})=>s`
              <tr key=${n}>
                <th scope="row"><code>${n}</code></th>
                <td>${String(o)}</td>
                <td class="number">${I(a)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var Tt=5e3;function ve({rule:e}){let{value:t,error:n}=k(`rule?name=${encodeURIComponent(e)}`,Tt);if(n!==void 0&&t===void 0)return s`<p class="bad">${n.message}</p>`;if(t===void 0)return s`<p class="quiet">Loading…</p>`;let{file:o,name:a,text:r,decisions:i}=t;return s`
    <p class="actions">
      <a class="button" href=${w("playground",{rule:a})}>Edit in the playground</a>
      <a class="button" href=${w("figures",{of:`rule ${e}`})}>Figures over time</a>
    </p>
    <h2>The last decisions</h2>
    ${i.length===0?s`<p class="quiet">This rule made none of the last decisions.</p>`:s`
      <ol class="marks">${i.map(({end:c,reason:l,tool:u,model:p,time:d,request:m})=>s`
          <li>
            <span class=${`chip ${g[c].color}`}>${g[c].word}</span>
            <code>${l}</code>
            <span>${[u,p].filter(f=>f!==null).join(" \xB7 ")}</span>
            <a href=${w("live",{request:m})}>${N(d)}</a>
          </li>
        `)}</ol>
    `}
    <h2>The rule and its examples</h2>
    <p class="quiet"><code>${o}</code></p>
    <pre class="text" tabindex="0" role="region" aria-label=${`The file of ${e}`}>${r}</pre>
  `}var j=["made","would","left","broken","lost","repaired"];function xe({parameters:e}){let{value:t,error:n}=k("rules",5e3),[o,a]=$(!1),[r,i]=[e.get("text")??"",e.get("rule")??""];if(n!==void 0&&t===void 0)return s`<p class="empty bad">${n.message}</p>`;if(t===void 0)return s`<p class="empty">Loading…</p>`;let c=d=>location.replace(w("rules",{text:d.target.value})),l=Et(t,r),u=!o&&r===""&&l.some(ke),p=u?l.filter(d=>ke(d)||d.rule===i):l;return s`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:d})=>d===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${d=>d.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${r} onInput=${c} />
    </form>
    ${p.length===0?s`<p class="empty">No rule matches the filter.</p>`:s`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table class="rules" role="table">
          <thead role="rowgroup">
            <tr role="row">
              ${["Rule","State","Confidence"].map((d,m)=>s`<th scope="col" role="columnheader" class=${m===2?"number":""}>${d}</th>`)}
              ${j.map(d=>s`<th scope="col" role="columnheader" class="number">${g[d].title}</th>`)}
            </tr>
          </thead>
          <tbody role="rowgroup">${p.map(d=>Ot(d,{text:r,isOpen:d.rule===i}))}</tbody>
        </table>
      </div>
    `}
    ${u&&s`
      <button class="more" onClick=${()=>a(!0)}>Show all ${l.length} rules</button>
    `}
  `}function ke({hits:e}){return j.some(t=>(e[t]??0)>0)}function Et(e,t){let n=a=>j.reduce((r,i)=>r+(a.hits[i]??0),0),o=t.trim().toLowerCase();return e.filter(({rule:a,description:r})=>`${a}
${r}`.toLowerCase().includes(o)).toSorted((a,r)=>n(r)-n(a)||+(a.whyOff!==null)-+(r.whyOff!==null)||(a.rule<r.rule?-1:1))}function Ot({rule:e,description:t,whyOff:n,confidence:o,hits:a},{text:r,isOpen:i}){let c=w("rules",{text:r,rule:i?"":e}),u=s`
    <tr key=${e} role="row" class="row" onClick=${({target:p})=>{p.closest("a")===null&&location.assign(c)}}>
      <th scope="row" role="rowheader"><a href=${c} aria-expanded=${i}><code>${e}</code></a><span
          class="quiet block">${t}</span></th>
      <td role="cell">${n===null?s`<span class="chip good">on</span>`:s`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td role="cell" data-head="Confidence" class="number">${o.toFixed(2)}</td>
      ${j.map(p=>s`
          <td role="cell" data-head=${g[p].title} class=${`number ${a[p]===void 0?"none":""}`}>${a[p]??s`<span class="quiet">–</span>`}</td>
        `)}
    </tr>
  `;return i?[u,s`
      <tr key=${`${e} opened`} role="row" class="opened">
        <td role="cell" colspan=${j.length+3}>
          <${ve} rule=${e} />
        </td>
      </tr>
    `]:u}var K=[{name:"live",title:"Live",load:()=>Promise.resolve(be)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-e1bff610.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(xe)},{name:"playground",title:"Playground",load:async()=>await(await import("./lazy_view-1346ce2b.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(we)},{name:"canary",title:"Canary",load:()=>Promise.resolve(Rt)}],Ct={live:"live: converted",dry_run:"dry run: not converted",excluded:"canary: not converted"};function Rt(){let{value:e,error:t}=k("figures",5e3);if(t!==void 0&&e===void 0)return s`<p class="empty bad">${t.message}</p>`;if(e===void 0)return s`<p class="empty">Loading…</p>`;let{canary:n,modes:o}=e;return s`
    <h1>Canary</h1>
    ${n===null?s`<p class="notice">One of the groups has no answers yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the groups.</p>`:s`<p class="notice"><strong>${n.sentence}</strong> The live group has ${Y(n.share)} of the
          answers.</p>`}
    <${oe} kind="mode" rows=${o.map(a=>({...a,name:Ct[a.name]??a.name}))} />
  `}var At=1e4;function Te(){let e=jt(),t=k("status",At);return t.error?.status===401?s`<${It} onKnown=${t.reload} />`:s`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${K.map(({name:n,title:o})=>s`<a href=${w(n)} aria-current=${e.view===n?"page":void 0}>${o}</a>`)}
      </nav>
      <${Mt} status=${t.value} isLost=${t.error!==void 0} />
      <${qt} onEnded=${t.reload} />
    </header>
    <main id="main" tabindex="-1">
      <${Dt} key=${e.view} route=${e} />
    </main>
  `}var Ee="Reloaded",Nt=5e3;function Mt({status:e,isLost:t}){let[n,o]=$("");v(()=>{let i=n===Ee?setTimeout(()=>o(""),Nt):void 0;return()=>clearTimeout(i)},[n]);let a=async()=>{o("Reloading\u2026"),o(await L("reload").then(Lt,M))},r=t?"no connection":e===void 0?"":`v${e.version}, up ${I(e.uptimeSeconds)}`;return s`
    <span class=${`server ${t?"bad":""}`} role="status" title=${e===void 0?"":re(e)}>${n===""?r:n}</span>
    <button onClick=${a}
      title="Reload dragoman.yaml, the rules, the clients, and the plugins">Reload settings</button>
  `}function Lt({isReloaded:e,errors:t,diagnostics:n}){return e?Ee:`Not reloaded: ${O(t,"error")}. ${n[0]?.message??""}`}function Dt({route:e}){let[t,n]=$(),[o,a]=$(""),r=K.find(({name:i})=>i===e.view);return v(()=>{r!==void 0&&(document.title=`${r.title} \xB7 Dragoman`,r.load().then(i=>n(()=>i),i=>a(M(i))))},[r]),r===void 0?s`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:o!==""?s`<p class="empty bad">Cannot load this view: ${o}</p>`:t===void 0?s`<p class="empty">Loading…</p>`:s`
    <${t} parameters=${e.parameters} />
  `}function jt(){let[e,t]=$(Se);return v(()=>{let n=()=>t(Se());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function Se(){let e=te(location.hash);return e.view===""?{...e,view:K[0]?.name??""}:e}function qt({onEnded:e}){let{value:t}=k("session");return t?.session!==!0?null:s`<button onClick=${()=>void ee("session").then(e,e)}>Sign out</button>`}function It({onKnown:e}){let[t,n]=$(""),o=x(null);return v(()=>o.current?.focus(),[]),s`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <p>This page requires a key, because it shows users’ requests.</p>
      <form onSubmit=${async r=>{r.preventDefault();try{await L("session",o.current?.value.trim()),e()}catch(i){n(M(i))}}}>
        <label for="key">Key</label>
        <input id="key" ref=${o} type="password" autocomplete="current-password" required
          aria-describedby="key-help" />
        <button class="main">Sign in</button>
        <p id="key-help" class="quiet">
          Ask whoever runs the proxy. On the proxy’s own machine, your agent’s key works, too.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}var Oe=document.getElementById("app");Oe!==null&&X(s`<${Te} />`,Oe);
