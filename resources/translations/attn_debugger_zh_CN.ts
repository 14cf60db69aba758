<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>Open worst head no. {0}</source>
        <translation>打开第 {0} 差的头</translation>
    </message>
    <message>
        <source>Go to bookmark {0}</source>
        <translation>前往书签 {0}</translation>
    </message>
    <message>
        <source>Not available: {0}</source>
        <translation>不可用：{0}</translation>
    </message>
    <message>
        <source>no run is open</source>
        <translation>没有打开运行记录</translation>
    </message>
    <message>
        <source>no head is selected</source>
        <translation>未选择头</translation>
    </message>
    <message>
        <source>nothing of warning or louder was found yet</source>
        <translation>尚未发现警告或更严重的问题</translation>
    </message>
    <message>
        <source>no second run is open</source>
        <translation>没有打开第二个运行记录</translation>
    </message>
    <message>
        <source>nothing is running</source>
        <translation>没有正在运行的任务</translation>
    </message>
    <message>
        <source>nothing is running and no head view is open</source>
        <translation>没有正在运行的任务，也没有打开头视图</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Open a recorded run (.h5)</source>
        <translation>打开运行记录（.h5）</translation>
    </message>
    <message>
        <source>Open remote…</source>
        <translation>打开远程运行记录…</translation>
    </message>
    <message>
        <source>Open a run that lies on another machine, over ssh</source>
        <translation>通过 ssh 打开另一台机器上的运行记录</translation>
    </message>
    <message>
        <source>Record a demo run…</source>
        <translation>记录演示运行…</translation>
    </message>
    <message>
        <source>Train a small model, record its attention and open the recording</source>
        <translation>训练一个小模型，记录其注意力并打开记录</translation>
    </message>
    <message>
        <source>Open a checkpoint…</source>
        <translation>打开检查点…</translation>
    </message>
    <message>
        <source>Show layers, heads and checks of a model beside the run</source>
        <translation>在运行记录旁显示模型的层、头与检查</translation>
    </message>
    <message>
        <source>Probe checkpoints…</source>
        <translation>探测检查点…</translation>
    </message>
    <message>
        <source>Record one batch through the checkpoints of a run nobody recorded</source>
        <translation>对没有记录的运行，用其检查点处理一个批次并记录</translation>
    </message>
    <message>
        <source>Check the model…</source>
        <translation>检查模型…</translation>
    </message>
    <message>
        <source>Try out on the model whether padding leaks, the future, the scale</source>
        <translation>在模型上试验：填充是否泄漏、是否看到未来、缩放是否正确</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Read the run anew from disk</source>
        <translation>从磁盘重新读取运行记录</translation>
    </message>
    <message>
        <source>Close run</source>
        <translation>关闭运行记录</translation>
    </message>
    <message>
        <source>Close the run and show the start page</source>
        <translation>关闭运行记录并显示起始页</translation>
    </message>
    <message>
        <source>Compare with another run…</source>
        <translation>与另一个运行记录比较…</translation>
    </message>
    <message>
        <source>Open a second run beside this one: A, B and what differs</source>
        <translation>在此运行记录旁打开第二个：A、B 以及差异</translation>
    </message>
    <message>
        <source>Close the second run</source>
        <translation>关闭第二个运行记录</translation>
    </message>
    <message>
        <source>Show this run alone again</source>
        <translation>恢复只显示此运行记录</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Write the view, the head&apos;s matrix or the steps into a file</source>
        <translation>将视图、头的矩阵或各步写入文件</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>报告…</translation>
    </message>
    <message>
        <source>Write the whole story of the run as one HTML page</source>
        <translation>将运行的完整经过写成一个 HTML 页面</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>复制数值</translation>
    </message>
    <message>
        <source>Copy the cell&apos;s value; without a cell, the open head&apos;s matrix</source>
        <translation>复制单元格的数值；未选单元格时复制所打开的头的矩阵</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Copy the grid, or the open head, as a picture</source>
        <translation>将网格或所打开的头复制为图片</translation>
    </message>
    <message>
        <source>Copy command line</source>
        <translation>复制命令行</translation>
    </message>
    <message>
        <source>Copy the command that opens this run at this place</source>
        <translation>复制在此位置打开此运行记录的命令</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Choose language, colours, size of text and memory</source>
        <translation>选择语言、颜色、文字大小与内存</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Take back the last change of scale, range, colours or a note</source>
        <translation>撤销上一次对刻度、范围、颜色或笔记的更改</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Take the last undo back</source>
        <translation>恢复上一次撤销</translation>
    </message>
    <message>
        <source>Next scale</source>
        <translation>下一种刻度</translation>
    </message>
    <message>
        <source>Change the scale of the focused view: linear, root, logarithmic</source>
        <translation>更改当前视图的刻度：线性、平方根、对数</translation>
    </message>
    <message>
        <source>Range 0 to 1</source>
        <translation>范围 0 到 1</translation>
    </message>
    <message>
        <source>Let every colour mean the same weight in all heads and steps</source>
        <translation>让同一颜色在所有头与步中表示相同的权重</translation>
    </message>
    <message>
        <source>Range from data</source>
        <translation>范围取自数据</translation>
    </message>
    <message>
        <source>Let the colours reach up to this frame&apos;s largest weight</source>
        <translation>让颜色一直到此帧的最大权重</translation>
    </message>
    <message>
        <source>Only NaN and infinite</source>
        <translation>仅 NaN 与无穷大</translation>
    </message>
    <message>
        <source>Mute all weights, so that what is not finite stands out</source>
        <translation>弱化所有权重，突出非有限值</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Enlarge the tiles of the grid</source>
        <translation>放大网格的图块</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Shrink the tiles of the grid</source>
        <translation>缩小网格的图块</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>Show the whole grid and the whole timeline</source>
        <translation>显示整个网格与整个时间轴</translation>
    </message>
    <message>
        <source>Model panel</source>
        <translation>模型面板</translation>
    </message>
    <message>
        <source>Show or hide the model panel</source>
        <translation>显示或隐藏模型面板</translation>
    </message>
    <message>
        <source>Flags panel</source>
        <translation>告警面板</translation>
    </message>
    <message>
        <source>Show or hide the flags panel</source>
        <translation>显示或隐藏告警面板</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>Show or hide the plots over steps</source>
        <translation>显示或隐藏随步变化的曲线图</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>Change the selected head&apos;s softmax: temperature, masks, a key less</source>
        <translation>更改所选头的 softmax：温度、掩码、少一个键</translation>
    </message>
    <message>
        <source>Comparison panel</source>
        <translation>比较面板</translation>
    </message>
    <message>
        <source>Show or hide where two runs part and what became of findings</source>
        <translation>显示或隐藏两个运行记录的分歧之处以及各发现的结果</translation>
    </message>
    <message>
        <source>Timeline panel</source>
        <translation>时间轴面板</translation>
    </message>
    <message>
        <source>Show or hide the timeline</source>
        <translation>显示或隐藏时间轴</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>Put all panels back where they were at first</source>
        <translation>将所有面板恢复到最初的位置</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
    </message>
    <message>
        <source>Switch between light and dark colours</source>
        <translation>在浅色与深色之间切换</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Use the whole screen, or return from it</source>
        <translation>使用整个屏幕，或退出全屏</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Play the run, or pause</source>
        <translation>播放运行记录，或暂停</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Show the next recorded step</source>
        <translation>显示下一个已记录的步</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Show the previous recorded step</source>
        <translation>显示上一个已记录的步</translation>
    </message>
    <message>
        <source>Ten steps on</source>
        <translation>前进十步</translation>
    </message>
    <message>
        <source>Move ten recorded steps on</source>
        <translation>向前移动十个已记录的步</translation>
    </message>
    <message>
        <source>Ten steps back</source>
        <translation>后退十步</translation>
    </message>
    <message>
        <source>Move ten recorded steps back</source>
        <translation>向后移动十个已记录的步</translation>
    </message>
    <message>
        <source>Far on</source>
        <translation>大幅前进</translation>
    </message>
    <message>
        <source>Move 100 recorded steps or a tenth of the run on</source>
        <translation>向前移动 100 个已记录的步，或运行的十分之一</translation>
    </message>
    <message>
        <source>Far back</source>
        <translation>大幅后退</translation>
    </message>
    <message>
        <source>Move 100 recorded steps or a tenth of the run back</source>
        <translation>向后移动 100 个已记录的步，或运行的十分之一</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>Show the first recorded step</source>
        <translation>显示第一个已记录的步</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>Show the last recorded step</source>
        <translation>显示最后一个已记录的步</translation>
    </message>
    <message>
        <source>Next flag</source>
        <translation>下一个告警</translation>
    </message>
    <message>
        <source>Show where the next problem begins</source>
        <translation>显示下一个问题开始之处</translation>
    </message>
    <message>
        <source>Previous flag</source>
        <translation>上一个告警</translation>
    </message>
    <message>
        <source>Show where the problem before begins</source>
        <translation>显示上一个问题开始之处</translation>
    </message>
    <message>
        <source>Next flag of this head</source>
        <translation>此头的下一个告警</translation>
    </message>
    <message>
        <source>Show where the next problem of the selected head begins</source>
        <translation>显示所选头的下一个问题开始之处</translation>
    </message>
    <message>
        <source>Previous flag of this head</source>
        <translation>此头的上一个告警</translation>
    </message>
    <message>
        <source>Show where the problem before of the selected head begins</source>
        <translation>显示所选头的上一个问题开始之处</translation>
    </message>
    <message>
        <source>Go to step or head…</source>
        <translation>前往某步或某头…</translation>
    </message>
    <message>
        <source>Type a step, a head or both: 1200, L4H7, 1200 L4H7</source>
        <translation>输入步、头或两者：1200、L4H7、1200 L4H7</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Return to the place before the last jump</source>
        <translation>返回上一次跳转之前的位置</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Take the last Back back</source>
        <translation>撤销上一次后退</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Mark this step, head and cell, or take the mark away</source>
        <translation>标记此步、头与单元格，或取消标记</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>笔记…</translation>
    </message>
    <message>
        <source>Write a note on this step, head and cell</source>
        <translation>为此步、头与单元格写笔记</translation>
    </message>
    <message>
        <source>Go to bookmark</source>
        <translation>前往书签</translation>
    </message>
    <message>
        <source>Show the k-th bookmark, counted by steps</source>
        <translation>显示第 k 个书签（按步计数）</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Play over and over; Shift+drag on the timeline chooses a part</source>
        <translation>反复播放；在时间轴上按 Shift 拖动可选择一段</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Stay at the newest step of a run that is still training</source>
        <translation>停留在仍在训练的运行的最新一步</translation>
    </message>
    <message>
        <source>Next layer</source>
        <translation>下一层</translation>
    </message>
    <message>
        <source>Select the same head one layer further</source>
        <translation>选择后一层的同一个头</translation>
    </message>
    <message>
        <source>Previous layer</source>
        <translation>上一层</translation>
    </message>
    <message>
        <source>Select the same head one layer before</source>
        <translation>选择前一层的同一个头</translation>
    </message>
    <message>
        <source>Next head</source>
        <translation>下一个头</translation>
    </message>
    <message>
        <source>Select the next head of the layer</source>
        <translation>选择本层的下一个头</translation>
    </message>
    <message>
        <source>Previous head</source>
        <translation>上一个头</translation>
    </message>
    <message>
        <source>Select the previous head of the layer</source>
        <translation>选择本层的上一个头</translation>
    </message>
    <message>
        <source>Next head in order</source>
        <translation>顺序中的下一个头</translation>
    </message>
    <message>
        <source>Select the next head in the order of the grid</source>
        <translation>按网格的顺序选择下一个头</translation>
    </message>
    <message>
        <source>Previous head in order</source>
        <translation>顺序中的上一个头</translation>
    </message>
    <message>
        <source>Select the head before in the order of the grid</source>
        <translation>按网格的顺序选择上一个头</translation>
    </message>
    <message>
        <source>Head in full</source>
        <translation>完整显示头</translation>
    </message>
    <message>
        <source>Give the selected head the whole centre</source>
        <translation>让所选的头占据整个中央区域</translation>
    </message>
    <message>
        <source>Compare with this step</source>
        <translation>与此步比较</translation>
    </message>
    <message>
        <source>Pin this head&apos;s map and show the difference to other steps</source>
        <translation>固定此头的图，显示与其他步的差值</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 与 B</translation>
    </message>
    <message>
        <source>Turn the sign of the difference</source>
        <translation>反转差值的符号</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Show lines from queries to keys instead of the matrix</source>
        <translation>显示从查询到键的连线，代替矩阵</translation>
    </message>
    <message>
        <source>Film</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>Show the head at the steps around the current one</source>
        <translation>显示该头在当前步前后各步的样子</translation>
    </message>
    <message>
        <source>Explain the cell</source>
        <translation>解释单元格</translation>
    </message>
    <message>
        <source>Show how the selected weight came about</source>
        <translation>显示所选权重的由来</translation>
    </message>
    <message>
        <source>Order and filter heads…</source>
        <translation>排序与筛选头…</translation>
    </message>
    <message>
        <source>Sort the grid, leave out or fade heads without findings</source>
        <translation>对网格排序，不显示或淡化没有发现的头</translation>
    </message>
    <message>
        <source>Watch tokens…</source>
        <translation>关注词元…</translation>
    </message>
    <message>
        <source>Sort and number the heads by their weight on tokens, words, a span</source>
        <translation>按头在词元、词或区间上的权重排序并标数</translation>
    </message>
    <message>
        <source>Pin this step</source>
        <translation>固定此步</translation>
    </message>
    <message>
        <source>Show in the grid what changes from this step on; again: let go</source>
        <translation>在网格中显示此步之后的变化；再按一次取消固定</translation>
    </message>
    <message>
        <source>Over the picture</source>
        <translation>叠加到图片</translation>
    </message>
    <message>
        <source>Lay where a query looks over the picture of a vision model</source>
        <translation>将查询看向的位置叠加到视觉模型的图片上</translation>
    </message>
    <message>
        <source>Scale heads of the model…</source>
        <translation>缩放模型的头…</translation>
    </message>
    <message>
        <source>What the batch costs when a head is silenced or made louder</source>
        <translation>将一个头静默或增强时，此批次的损失是多少</translation>
    </message>
    <message>
        <source>Replace the selected token…</source>
        <translation>替换所选的词元…</translation>
    </message>
    <message>
        <source>What the model loses without the key selected in the map, or others</source>
        <translation>去掉图中所选的键或其他词元后，模型的损失如何变化</translation>
    </message>
    <message>
        <source>Probe this step with a text…</source>
        <translation>用文本探测此步…</translation>
    </message>
    <message>
        <source>Run a text of yours and show its attention in the grid</source>
        <translation>运行您的文本，并在网格中显示其注意力</translation>
    </message>
    <message>
        <source>Cancel or back to the grid</source>
        <translation>取消或返回网格</translation>
    </message>
    <message>
        <source>Cancel what is running; else return from the head to the grid</source>
        <translation>取消正在运行的任务；否则从头返回网格</translation>
    </message>
    <message>
        <source>Open head by rank</source>
        <translation>按名次打开头</translation>
    </message>
    <message>
        <source>Open the k-th worst head (1 = the worst)</source>
        <translation>打开第 k 差的头（1 = 最差）</translation>
    </message>
    <message>
        <source>Check the rest</source>
        <translation>检查其余部分</translation>
    </message>
    <message>
        <source>Go on checking a run whose check was cancelled</source>
        <translation>继续检查被取消检查的运行记录</translation>
    </message>
    <message>
        <source>Limits of the signals…</source>
        <translation>信号的阈值…</translation>
    </message>
    <message>
        <source>Show and change the thresholds by which findings are judged</source>
        <translation>显示并更改评估发现所用的阈值</translation>
    </message>
    <message>
        <source>Command palette…</source>
        <translation>命令面板…</translation>
    </message>
    <message>
        <source>Find any action by typing a part of its name</source>
        <translation>输入名称的一部分即可查找任何操作</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Show all keys</source>
        <translation>显示所有按键</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Read what the window shows and what the findings mean</source>
        <translation>阅读窗口显示的内容与各种发现的含义</translation>
    </message>
</context>
<context>
    <name>Application</name>
    <message>
        <source>this is a defect of attn-debugger ({0}: {1}, {2}); the window goes on, and we would be glad to get this sentence</source>
        <translation>这是 attn-debugger 的缺陷（{0}：{1}，{2}）；窗口可继续使用，欢迎将这句话告知我们</translation>
    </message>
</context>
<context>
    <name>Beside</name>
    <message>
        <source>open a run first: another one is compared with it</source>
        <translation>请先打开一个运行记录：再打开另一个与之比较</translation>
    </message>
    <message>
        <source>a run lies on another machine, and the search fetches all of it</source>
        <translation>有运行记录位于另一台机器，搜索会获取其全部内容</translation>
    </message>
    <message>
        <source>cannot compare {0} with itself: choose another run</source>
        <translation>无法将 {0} 与自身比较：请选择另一个运行记录</translation>
    </message>
    <message>
        <source>cannot compare: {0}</source>
        <translation>无法比较：{0}</translation>
    </message>
    <message>
        <source>B: {0}</source>
        <translation>B：{0}</translation>
    </message>
</context>
<context>
    <name>CheckOptions</name>
    <message>
        <source>Also: can a copy of it overfit ten samples?</source>
        <translation>另外：它的副本能过拟合十个样本吗？</translation>
    </message>
    <message>
        <source>Trains a copy for up to a minute. A model that cannot is broken somewhere.</source>
        <translation>训练一个副本，最多一分钟。做不到的模型必有某处损坏。</translation>
    </message>
</context>
<context>
    <name>CheckpointFolders</name>
    <message>
        <source>{0} holds no checkpoints ({1})</source>
        <translation>{0} 中没有检查点（{1}）</translation>
    </message>
    <message>
        <source>How many heads?</source>
        <translation>有多少个头？</translation>
    </message>
    <message>
        <source>The weights do not tell how many heads a layer has.</source>
        <translation>参数权重没有说明一层有多少个头。</translation>
    </message>
    <message>
        <source>These are weights alone. “Probe checkpoints…” in the File menu records their attention on one batch.</source>
        <translation>这里只有参数权重。“文件”菜单中的“探测检查点…”可在一个批次上记录其注意力。</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Type a part of a command</source>
        <translation>输入命令的一部分</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>the picture is on the clipboard</source>
        <translation>图片已复制到剪贴板</translation>
    </message>
    <message>
        <source>copied: {0}</source>
        <translation>已复制：{0}</translation>
    </message>
    <message>
        <source>nothing is compared: press C on a head first</source>
        <translation>没有进行比较：请先在一个头上按 C</translation>
    </message>
    <message>
        <source>the grid compares two runs: close the second one to pin a step</source>
        <translation>网格正在比较两个运行记录：要固定某一步，请先关闭第二个运行记录</translation>
    </message>
    <message>
        <source>the grid shows weights again</source>
        <translation>网格恢复显示权重</translation>
    </message>
    <message>
        <source>step {0} is pinned: step on, and the grid shows what changed since</source>
        <translation>已固定第 {0} 步：移动到其他步，网格将显示此后的变化</translation>
    </message>
    <message>
        <source>only {0} heads have findings so far</source>
        <translation>目前只有 {0} 个头有发现</translation>
    </message>
</context>
<context>
    <name>Companion</name>
    <message>
        <source>no second run is open</source>
        <translation>没有打开第二个运行记录</translation>
    </message>
    <message>
        <source>B has no sample {0}</source>
        <translation>B 没有样本 {0}</translation>
    </message>
    <message>
        <source>B has no stream “{0}”</source>
        <translation>B 没有数据流“{0}”</translation>
    </message>
    <message>
        <source>step {0} is not recorded in B; the nearest there is {1}</source>
        <translation>B 没有记录第 {0} 步；其中最近的是第 {1} 步</translation>
    </message>
    <message>
        <source>B has no partner of {0}</source>
        <translation>B 中没有 {0} 的对应项</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>New</source>
        <translation>新出现</translation>
    </message>
    <message>
        <source>Still there</source>
        <translation>仍然存在</translation>
    </message>
    <message>
        <source>Resolved</source>
        <translation>已解决</translation>
    </message>
    <message>
        <source>Not comparable</source>
        <translation>无法比较</translation>
    </message>
    <message>
        <source>From B to A (X turns it around)</source>
        <translation>从 B 到 A（按 X 反转）</translation>
    </message>
    <message>
        <source>From A to B (X turns it around)</source>
        <translation>从 A 到 B（按 X 反转）</translation>
    </message>
    <message>
        <source>{0} of {1} steps of A are recorded in B too ({2} steps).</source>
        <translation>A 的 {1} 步中有 {0} 步在 B 中也有记录（共 {2} 步）。</translation>
    </message>
    <message>
        <source>The two runs have no step in common: A has {0} to {1}, B has {2} to {3}. Record both with the same `every`.</source>
        <translation>两个运行记录没有共同的步：A 为 {0} 至 {1}，B 为 {2} 至 {3}。请用相同的 `every` 记录两者。</translation>
    </message>
    <message>
        <source>No layer of A has a partner in B.</source>
        <translation>A 的层在 B 中都没有对应项。</translation>
    </message>
    <message>
        <source>The layers bear different names: they are matched by number.</source>
        <translation>各层名称不同：按编号匹配。</translation>
    </message>
    <message>
        <source>Only A has layers {0}.</source>
        <translation>只有 A 有层 {0}。</translation>
    </message>
    <message>
        <source>Only B has layers {0}.</source>
        <translation>只有 B 有层 {0}。</translation>
    </message>
    <message>
        <source>Layers {0} have maps of another size ({1}×{2} in A, {3}×{4} in B): where a step&apos;s maps differ in size, they stand side by side without a difference.</source>
        <translation>层 {0} 的注意力图大小不同（A 中为 {1}×{2}，B 中为 {3}×{4}）：某步的图大小不同时，只并排显示，不显示差值。</translation>
    </message>
    <message>
        <source>A has {0} samples a step, B has {1}.</source>
        <translation>A 每步有 {0} 个样本，B 有 {1} 个。</translation>
    </message>
    <message>
        <source>At {0} of {1} common steps the two runs saw different batches: what differs there need not come from the models. A fixed probe batch (probe= of the recorder) makes runs comparable.</source>
        <translation>在 {1} 个共同步中，有 {0} 步两个运行看到的批次不同：那里的差异不一定来自模型。使用固定的探测批次（记录器的 probe=）可使运行记录具有可比性。</translation>
    </message>
    <message>
        <source>nothing tells whether the inputs are the same</source>
        <translation>无法得知输入是否相同</translation>
    </message>
    <message>
        <source>NaN in one</source>
        <translation>其中之一为 NaN</translation>
    </message>
    <message>
        <source>The weights part first at step {0}: most of all in {1} ({2}); heads that differ by more than {3}: {4}.</source>
        <translation>权重在第 {0} 步首次出现分歧：以 {1} 为最（{2}）；差异超过 {3} 的头：{4}。</translation>
    </message>
    <message>
        <source>The weights agree within {0} wherever they were compared (steps: {1}).</source>
        <translation>凡比较过之处，权重在 {0} 以内一致（步数：{1}）。</translation>
    </message>
    <message>
        <source>Steps passed over because the inputs differ: {0}.</source>
        <translation>因输入不同而略过的步数：{0}。</translation>
    </message>
    <message>
        <source>Steps that could not be read: {0} ({1}).</source>
        <translation>无法读取的步数：{0}（{1}）。</translation>
    </message>
    <message>
        <source>Nothing tells whether both saw the same input there.</source>
        <translation>无法得知两者在那里看到的输入是否相同。</translation>
    </message>
    <message>
        <source>Heads of layers {0}: {1} in A, {2} in B; heads 0 to {3} are compared.</source>
        <translation>层 {0} 的头数：A 中为 {1}，B 中为 {2}；比较头 0 至 {3}。</translation>
    </message>
    <message>
        <source>different inputs here: what differs need not come from the models</source>
        <translation>此处输入不同：差异不一定来自模型</translation>
    </message>
    <message>
        <source>There is no common step at which the two could part.</source>
        <translation>没有可供两者出现分歧的共同步。</translation>
    </message>
    <message>
        <source>Of {0} common steps none could be compared.</source>
        <translation>{0} 个共同步中没有一个可以比较。</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>The {0} parts first at step {1}: {2} in A, {3} in B.</source>
        <translation>{0}在第 {1} 步首次出现分歧：A 中为 {2}，B 中为 {3}。</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限值</translation>
    </message>
</context>
<context>
    <name>CompareBar</name>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Show run A in the grid</source>
        <translation>在网格中显示运行记录 A</translation>
    </message>
    <message>
        <source>Show run B in the grid, at the same step</source>
        <translation>在网格中显示运行记录 B 的同一步</translation>
    </message>
    <message>
        <source>Show in the grid what differs (C)</source>
        <translation>在网格中显示差异（C）</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>交换</translation>
    </message>
    <message>
        <source>Read the change the other way round (X)</source>
        <translation>反过来看变化（X）</translation>
    </message>
    <message>
        <source>What differs…</source>
        <translation>有何差异…</translation>
    </message>
    <message>
        <source>Show where the two runs part and what became of the findings</source>
        <translation>显示两个运行记录在哪里出现分歧，以及各发现的结果</translation>
    </message>
    <message>
        <source>Close run B</source>
        <translation>关闭运行记录 B</translation>
    </message>
    <message>
        <source>Comparing {0} with {1}</source>
        <translation>比较 {0} 与 {1}</translation>
    </message>
    <message>
        <source>A − B</source>
        <translation>A − B</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
</context>
<context>
    <name>ComparePanel</name>
    <message>
        <source>Go there</source>
        <translation>前往</translation>
    </message>
    <message>
        <source>Show the step and the head at which the weights part</source>
        <translation>显示权重出现分歧的步与头</translation>
    </message>
    <message>
        <source>Show the step at which the loss parts</source>
        <translation>显示损失出现分歧的步</translation>
    </message>
    <message>
        <source>Progress of the search</source>
        <translation>搜索的进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>File &gt; Compare with another run… opens a second run beside this one.</source>
        <translation>“文件”&gt;“与另一个运行记录比较…”可在此运行记录旁打开第二个。</translation>
    </message>
    <message>
        <source>A: {0}
B: {1}</source>
        <translation>A：{0}
B：{1}</translation>
    </message>
    <message>
        <source>Looking for the step at which the two part: step {0}</source>
        <translation>正在查找两者出现分歧的步：第 {0} 步</translation>
    </message>
    <message>
        <source>Where the two part is not known: {0}</source>
        <translation>两者在哪里出现分歧尚不清楚：{0}</translation>
    </message>
</context>
<context>
    <name>ComparedList</name>
    <message>
        <source>What became of the findings</source>
        <translation>各发现的结果</translation>
    </message>
</context>
<context>
    <name>Comparing</name>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Compare with a recorded run</source>
        <translation>与一个运行记录比较</translation>
    </message>
    <message>
        <source>Recorded runs (*.h5 *.hdf5);;All files (*)</source>
        <translation>运行记录 (*.h5 *.hdf5);;所有文件 (*)</translation>
    </message>
    <message>
        <source>opening {0} as run B…</source>
        <translation>正在将 {0} 作为运行记录 B 打开…</translation>
    </message>
    <message>
        <source>so far: {0} of {1} steps of A checked, {2} of {3} of B</source>
        <translation>目前：已检查 A 的 {0}/{1} 步、B 的 {2}/{3} 步</translation>
    </message>
</context>
<context>
    <name>ComparisonView</name>
    <message>
        <source>B   no map</source>
        <translation>B   没有图</translation>
    </message>
</context>
<context>
    <name>Controls</name>
    <message>
        <source>as recorded</source>
        <translation>如记录</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Take away the key with the most weight</source>
        <translation>去掉权重最大的键</translation>
    </message>
    <message>
        <source>Draw again</source>
        <translation>重新抽取</translation>
    </message>
    <message>
        <source>As recorded</source>
        <translation>恢复记录</translation>
    </message>
    <message>
        <source>Undo every change</source>
        <translation>撤销所有更改</translation>
    </message>
    <message>
        <source>key {0} ({1:.0%})</source>
        <translation>键 {0}（{1:.0%}）</translation>
    </message>
    <message>
        <source>Temperature above 1</source>
        <translation>温度大于 1</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Causal mask off</source>
        <translation>关闭因果掩码</translation>
    </message>
    <message>
        <source>Padding mask</source>
        <translation>填充掩码</translation>
    </message>
    <message>
        <source>A wider window</source>
        <translation>更宽的滑动窗口</translation>
    </message>
    <message>
        <source>Computed from the stored scores.</source>
        <translation>由存储的分数计算。</translation>
    </message>
    <message>
        <source>Computed from the stored q and k.</source>
        <translation>由存储的 q 和 k 计算。</translation>
    </message>
    <message>
        <source>Computed from the stored weights.</source>
        <translation>由存储的权重计算。</translation>
    </message>
    <message>
        <source>Not known here:</source>
        <translation>此处未知：</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Scale on q·k</source>
        <translation>q·k 的缩放</translation>
    </message>
    <message>
        <source>Causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>Without key</source>
        <translation>去掉键</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
</context>
<context>
    <name>DemoChooser</name>
    <message>
        <source>Record a demo run</source>
        <translation>记录演示运行</translation>
    </message>
    <message>
        <source>A small model is trained for real, here and now, and its attention recorded; each takes under a minute. Nothing is painted by hand: the failures come out of the training.</source>
        <translation>此时此地真实训练一个小模型，并记录其注意力；每个不到一分钟。没有任何内容是人工绘制的：故障都产生于训练本身。</translation>
    </message>
</context>
<context>
    <name>DemoList</name>
    <message>
        <source>The list is on its way…</source>
        <translation>正在获取列表…</translation>
    </message>
    <message>
        <source>Train and record it now:  --demo {name}</source>
        <translation>立即训练并记录：  --demo {name}</translation>
    </message>
</context>
<context>
    <name>Describe</name>
    <message>
        <source>not captured in this frame</source>
        <translation>此帧未捕获</translation>
    </message>
    <message>
        <source>key head {0}, shared by heads {1} to {2}</source>
        <translation>键头 {0}，由头 {1} 至 {2} 共用</translation>
    </message>
    <message>
        <source>label</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>notice</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>full maps</source>
        <translation>完整图</translation>
    </message>
    <message>
        <source>overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>no full maps were stored at this step</source>
        <translation>此步没有存储完整图</translation>
    </message>
    <message>
        <source>full maps of the heads in sight</source>
        <translation>视野内各头的完整图</translation>
    </message>
    <message>
        <source>full maps of {0} of the {1} heads in sight</source>
        <translation>视野内 {1} 个头中 {0} 个的完整图</translation>
    </message>
    <message>
        <source>{0} tokens max-pooled to {1} px</source>
        <translation>{0} 个词元，最大池化为 {1} 像素</translation>
    </message>
    <message>
        <source>of each head&apos;s largest weight</source>
        <translation>以各头的最大权重为准</translation>
    </message>
    <message>
        <source>of each layer&apos;s largest weight</source>
        <translation>以各层的最大权重为准</translation>
    </message>
    <message>
        <source>up to this frame&apos;s largest weight</source>
        <translation>到此帧的最大权重为止</translation>
    </message>
    <message>
        <source>(sinks and special tokens left out)</source>
        <translation>（不计注意力汇与特殊词元）</translation>
    </message>
    <message>
        <source>most different in B first</source>
        <translation>在 B 中差异最大者在前</translation>
    </message>
    <message>
        <source>worst finding first</source>
        <translation>最严重的发现在前</translation>
    </message>
    <message>
        <source>largest {0} first</source>
        <translation>{0}最大者在前</translation>
    </message>
    <message>
        <source>most like {0} first</source>
        <translation>与 {0} 最相似者在前</translation>
    </message>
    <message>
        <source>most changed since step {0} first</source>
        <translation>自第 {0} 步以来变化最大者在前</translation>
    </message>
    <message>
        <source>only heads with findings</source>
        <translation>只显示有发现的头</translation>
    </message>
    <message>
        <source>only layers {0} to {1}</source>
        <translation>只显示第 {0} 至 {1} 层</translation>
    </message>
    <message>
        <source>only heads tagged {0}</source>
        <translation>只显示带标签“{0}”的头</translation>
    </message>
    <message>
        <source>only heads with: {0}</source>
        <translation>只显示有此项的头：{0}</translation>
    </message>
    <message>
        <source>this step − step {0}, max-pooled tiles; black = NaN in either</source>
        <translation>本步 − 第 {0} 步，图块经最大池化；黑色 = 其中之一为 NaN</translation>
    </message>
    <message>
        <source>≈ {0} % of its attention moved since step {1}</source>
        <translation>自第 {1} 步以来约 {0} % 的注意力发生了移动</translation>
    </message>
    <message>
        <source>Layer {0}, head {1}</source>
        <translation>第 {0} 层，头 {1}</translation>
    </message>
    <message>
        <source>not captured</source>
        <translation>未捕获</translation>
    </message>
    <message>
        <source>NaN or infinite</source>
        <translation>NaN 或无穷大</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>被屏蔽</translation>
    </message>
    <message>
        <source>(largest of {0} cells)</source>
        <translation>（{0} 个单元格中的最大值）</translation>
    </message>
    <message>
        <source>query {0} → key {1}</source>
        <translation>查询 {0} → 键 {1}</translation>
    </message>
</context>
<context>
    <name>DetailPane</name>
    <message>
        <source>The selected flag in full</source>
        <translation>所选告警的全文</translation>
    </message>
    <message>
        <source>Go there</source>
        <translation>前往</translation>
    </message>
    <message>
        <source>Show its first step and head (Enter)</source>
        <translation>显示其首次出现的步与头（Enter）</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy this flag as text</source>
        <translation>将此告警复制为文本</translation>
    </message>
    <message>
        <source>Mute</source>
        <translation>静音</translation>
    </message>
    <message>
        <source>Dim every flag of this signal</source>
        <translation>将此信号的所有告警变暗</translation>
    </message>
    <message>
        <source>Unmute</source>
        <translation>取消静音</translation>
    </message>
</context>
<context>
    <name>DivergenceSearch</name>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>comparing two runs</source>
        <translation>比较两个运行记录</translation>
    </message>
</context>
<context>
    <name>Explain</name>
    <message>
        <source>Layer {0}, head {1}, step {2}, sample {3}</source>
        <translation>第 {0} 层，头 {1}，第 {2} 步，样本 {3}</translation>
    </message>
    <message>
        <source>query {0}{1} looks at key {2}{3}</source>
        <translation>查询 {0}{1} 看向键 {2}{3}</translation>
    </message>
    <message>
        <source>dot product of q[{0}] and k[{1}] over {2} dimensions</source>
        <translation>q[{0}] 与 k[{1}] 在 {2} 个维度上的点积</translation>
    </message>
    <message>
        <source>the other {0} dimensions together: {1}</source>
        <translation>其余 {0} 个维度合计：{1}</translation>
    </message>
    <message>
        <source>declared</source>
        <translation>声明值</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>{0} − {1} = {2} (position bias, or rounding)</source>
        <translation>{0} − {1} = {2}（位置偏置，或舍入误差）</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>{0} (as recorded)</source>
        <translation>{0}（记录值）</translation>
    </message>
    <message>
        <source>score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>Neither q and k nor scores were recorded; record(model, path, scores=True, qk=True) next time.</source>
        <translation>q、k 和分数都没有记录；下次请用 record(model, path, scores=True, qk=True)。</translation>
    </message>
    <message>
        <source>The weights alone tell that its score lies ln({0} / {1}) = {2} below that of key {3}, the largest of the row.</source>
        <translation>仅由权重可知，其分数比本行最大的键 {3} 低 ln({0} / {1}) = {2}。</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>none is known; every key counts as allowed</source>
        <translation>未知；所有的键都视为允许</translation>
    </message>
    <message>
        <source>this query may see this key</source>
        <translation>此查询可以看到此键</translation>
    </message>
    <message>
        <source>the key lies in its future</source>
        <translation>该键位于其未来</translation>
    </message>
    <message>
        <source>the key is padding</source>
        <translation>该键是填充</translation>
    </message>
    <message>
        <source>the key belongs to another document</source>
        <translation>该键属于另一个文档</translation>
    </message>
    <message>
        <source>the key lies outside the window</source>
        <translation>该键在滑动窗口之外</translation>
    </message>
    <message>
        <source>the intended mask forbids it</source>
        <translation>预期的掩码禁止它</translation>
    </message>
    <message>
        <source>this query must not see this key: {0}</source>
        <translation>此查询不得看到此键：{0}</translation>
    </message>
    <message>
        <source>yet it has weight: the mask was not applied here</source>
        <translation>但它有权重：此处没有应用掩码</translation>
    </message>
    <message>
        <source>soft cap</source>
        <translation>软上限</translation>
    </message>
    <message>
        <source>every key of this query is masked: 0 / 0</source>
        <translation>此查询的所有键都被屏蔽：0 / 0</translation>
    </message>
    <message>
        <source>largest score of the row: {0} at key {1}</source>
        <translation>本行的最大分数：{0}，位于键 {1}</translation>
    </message>
    <message>
        <source>sum of these over {0} allowed keys: {1}</source>
        <translation>对 {0} 个允许的键求和：{1}</translation>
    </message>
    <message>
        <source>plus a sink term that was not recorded: the weight is smaller</source>
        <translation>另加一个未记录的汇项：权重更小</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>记录值</translation>
    </message>
    <message>
        <source>{0}, as this gives</source>
        <translation>{0}，与此处算得的一致</translation>
    </message>
    <message>
        <source>{0}, the same within rounding</source>
        <translation>{0}，在舍入误差内一致</translation>
    </message>
    <message>
        <source>{0}, which is NOT what this gives</source>
        <translation>{0}，与此处算得的【不】一致</translation>
    </message>
</context>
<context>
    <name>ExplainPanel</name>
    <message>
        <source>How the selected weight came about</source>
        <translation>所选权重的由来</translation>
    </message>
    <message>
        <source>Where this weight comes from</source>
        <translation>此权重的由来</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the explanation as text</source>
        <translation>将说明复制为文本</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Picture: PNG</source>
        <translation>图片：PNG</translation>
    </message>
    <message>
        <source>Picture: SVG, sharp at any size</source>
        <translation>图片：SVG，任意缩放都清晰</translation>
    </message>
    <message>
        <source>Picture: PDF, one page</source>
        <translation>图片：PDF，单页</translation>
    </message>
    <message>
        <source>This head&apos;s matrix: CSV with tokens</source>
        <translation>此头的矩阵：CSV，含词元</translation>
    </message>
    <message>
        <source>This head&apos;s matrix: TSV, for spreadsheets</source>
        <translation>此头的矩阵：TSV，供电子表格使用</translation>
    </message>
    <message>
        <source>This head&apos;s matrix: NPZ with scores, mask, tokens</source>
        <translation>此头的矩阵：NPZ，含分数、掩码、词元</translation>
    </message>
    <message>
        <source>This head&apos;s matrix: NPY, weights only</source>
        <translation>此头的矩阵：NPY，仅权重</translation>
    </message>
    <message>
        <source>Steps as a film: GIF</source>
        <translation>各步的动画：GIF</translation>
    </message>
    <message>
        <source>Steps as a film: a folder of PNGs</source>
        <translation>各步的动画：PNG 文件夹</translation>
    </message>
    <message>
        <source>Report on the whole run: one HTML page</source>
        <translation>整个运行的报告：单个 HTML 页面</translation>
    </message>
    <message>
        <source>grid and head as they stand</source>
        <translation>当前的网格与头</translation>
    </message>
    <message>
        <source>the head grid</source>
        <translation>头网格</translation>
    </message>
    <message>
        <source>the head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>the timeline</source>
        <translation>时间轴</translation>
    </message>
    <message>
        <source>the whole window</source>
        <translation>整个窗口</translation>
    </message>
    <message>
        <source>a GIF needs the library Pillow, which is not installed: pip install pillow; or choose the pictures one by one</source>
        <translation>生成 GIF 需要 Pillow 库，但尚未安装：pip install pillow；或选择导出逐张图片</translation>
    </message>
    <message>
        <source>step {0} holds no full map of {1}; choose a step at which the recorder stored it</source>
        <translation>第 {0} 步没有 {1} 的完整图；请选择记录器存有完整图的一步</translation>
    </message>
    <message>
        <source>the export was cancelled</source>
        <translation>导出已取消</translation>
    </message>
    <message>
        <source>a picture of {0} x {1} pixels is too large; choose a smaller scale or an SVG</source>
        <translation>{0} x {1} 像素的图片过大；请选择较小的倍率或 SVG</translation>
    </message>
    <message>
        <source>there is not enough memory for this picture; choose a smaller one</source>
        <translation>内存不足以生成这张图片；请选择较小的尺寸</translation>
    </message>
    <message>
        <source>the picture could not be made into a PNG; memory may have run out</source>
        <translation>无法将图片编码为 PNG；可能是内存不足</translation>
    </message>
    <message>
        <source>the disk is full; make room or choose another place</source>
        <translation>磁盘已满；请腾出空间或选择其他位置</translation>
    </message>
    <message>
        <source>your quota on this disk is used up; make room or choose another place</source>
        <translation>您在此磁盘上的配额已用完；请腾出空间或选择其他位置</translation>
    </message>
    <message>
        <source>you may not write there; choose another place</source>
        <translation>没有写入权限；请选择其他位置</translation>
    </message>
    <message>
        <source>this place is read-only; choose another one</source>
        <translation>此位置为只读；请选择其他位置</translation>
    </message>
    <message>
        <source>there is no such folder; choose one that exists</source>
        <translation>没有这个文件夹；请选择已有的文件夹</translation>
    </message>
    <message>
        <source>this is a folder; choose another name</source>
        <translation>这是一个文件夹；请换一个名称</translation>
    </message>
    <message>
        <source>the name is too long; choose a shorter one</source>
        <translation>名称过长；请换一个较短的名称</translation>
    </message>
    <message>
        <source>{0} cannot be written: {1}</source>
        <translation>无法写入 {0}：{1}</translation>
    </message>
    <message>
        <source>{0} is the recording itself; choose another name</source>
        <translation>{0} 就是运行记录本身；请换一个名称</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>leave the recorded texts out</source>
        <translation>不含记录的文本</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Picture of</source>
        <translation>图片内容</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>What to export</source>
        <translation>要导出的内容</translation>
    </message>
    <message>
        <source>What the picture shows</source>
        <translation>图片显示的内容</translation>
    </message>
    <message>
        <source>Size of the picture</source>
        <translation>图片大小</translation>
    </message>
    <message>
        <source>File to write</source>
        <translation>要写入的文件</translation>
    </message>
    <message>
        <source>{0} steps: those of the loop, which Shift+drag on the timeline chooses, else all</source>
        <translation>{0} 步：循环播放的范围（在时间轴上按 Shift 拖动来选择），未选择则为全部</translation>
    </message>
    <message>
        <source>This exists already; choose another name.</source>
        <translation>已存在同名项；请换一个名称。</translation>
    </message>
    <message>
        <source>This replaces the file that is there.</source>
        <translation>将替换已有的文件。</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>select a head first</source>
        <translation>请先选择一个头</translation>
    </message>
    <message>
        <source>the map of {0} at this step is not there, or still being read</source>
        <translation>此步没有 {0} 的图，或仍在读取中</translation>
    </message>
    <message>
        <source>{0} x {1} weights are too many to copy; export them (Ctrl+S)</source>
        <translation>{0} x {1} 个权重太多，无法复制；请导出（Ctrl+S）</translation>
    </message>
    <message>
        <source>copied: {0} x {1} weights of {2}</source>
        <translation>已复制：{2} 的 {0} x {1} 个权重</translation>
    </message>
    <message>
        <source>what the picture was to show is no longer in sight</source>
        <translation>图片要显示的内容已不在视图中</translation>
    </message>
    <message>
        <source>written as float32; the archive holds float64: {0}</source>
        <translation>已按 float32 写入；存档为 float64：{0}</translation>
    </message>
    <message>
        <source>{0} exists already</source>
        <translation>{0} 已存在</translation>
    </message>
    <message>
        <source>report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>The report is written:
{0}</source>
        <translation>报告已写入：
{0}</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>no browser could be started; open {0} in one</source>
        <translation>无法启动浏览器；请在浏览器中打开 {0}</translation>
    </message>
    <message>
        <source>written: {0}</source>
        <translation>已写入：{0}</translation>
    </message>
</context>
<context>
    <name>FileCommands</name>
    <message>
        <source>Open a recorded run</source>
        <translation>打开运行记录</translation>
    </message>
    <message>
        <source>Recorded runs (*.h5 *.hdf5);;All files (*)</source>
        <translation>运行记录 (*.h5 *.hdf5);;所有文件 (*)</translation>
    </message>
    <message>
        <source>No sample run is installed; record a demo run instead</source>
        <translation>没有安装示例运行记录；请改为记录演示运行</translation>
    </message>
    <message>
        <source>Open a checkpoint</source>
        <translation>打开检查点</translation>
    </message>
    <message>
        <source>Checkpoints (*.pt *.pth *.safetensors *.bin *.ckpt);;All files (*)</source>
        <translation>检查点 (*.pt *.pth *.safetensors *.bin *.ckpt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>A checkpoint is shown beside its run: open the run first, then {0}</source>
        <translation>检查点显示在其运行记录旁：请先打开运行记录，然后打开 {0}</translation>
    </message>
    <message>
        <source>reading {0}…</source>
        <translation>正在读取 {0}…</translation>
    </message>
    <message>
        <source>The checkpoints of this run lie on another machine: copy {0} here and open it with “Open a checkpoint…”</source>
        <translation>该运行记录的检查点在另一台机器上：请把 {0} 复制到本机，再用“打开检查点…”打开</translation>
    </message>
</context>
<context>
    <name>FileField</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose a file: {0}</source>
        <translation>选择文件：{0}</translation>
    </message>
</context>
<context>
    <name>FilmStrip</name>
    <message>
        <source>loading…</source>
        <translation>加载中…</translation>
    </message>
    <message>
        <source>step {0}</source>
        <translation>第 {0} 步</translation>
    </message>
</context>
<context>
    <name>FilterBar</name>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search: layer, head, words</source>
        <translation>搜索：层、头、文字</translation>
    </message>
    <message>
        <source>Search in the flags</source>
        <translation>在告警中搜索</translation>
    </message>
    <message>
        <source>Show one signal only</source>
        <translation>只显示一种信号</translation>
    </message>
    <message>
        <source>All signals</source>
        <translation>所有信号</translation>
    </message>
    <message>
        <source>Order of the flags</source>
        <translation>告警的顺序</translation>
    </message>
    <message>
        <source>By onset</source>
        <translation>按起始时间</translation>
    </message>
    <message>
        <source>By severity</source>
        <translation>按严重程度</translation>
    </message>
    <message>
        <source>By layer</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>By signal</source>
        <translation>按信号</translation>
    </message>
    <message>
        <source>Limits of the signals</source>
        <translation>信号的阈值</translation>
    </message>
    <message>
        <source>{n} of severity {word}</source>
        <translation>{n} 个，严重程度：{word}</translation>
    </message>
    <message>
        <source>{word}: {n}. Click to show or hide.</source>
        <translation>{word}：{n} 个。点击以显示或隐藏。</translation>
    </message>
    <message>
        <source>Limits changed</source>
        <translation>阈值已更改</translation>
    </message>
    <message>
        <source>Findings are judged by limits of your own ({n}): show and change them</source>
        <translation>发现按您自定的阈值（{n} 个）评估：显示并更改</translation>
    </message>
    <message>
        <source>Limits…</source>
        <translation>阈值…</translation>
    </message>
    <message>
        <source>Limits: show and change the thresholds by which findings are judged</source>
        <translation>阈值：显示并更改评估发现所用的阈值</translation>
    </message>
</context>
<context>
    <name>FindToken</name>
    <message>
        <source>Find token</source>
        <translation>查找词元</translation>
    </message>
    <message>
        <source>Enter: the next query with this token or number; Shift+Enter: the next key</source>
        <translation>Enter：下一个含此词元或编号的查询；Shift+Enter：下一个键</translation>
    </message>
    <message>
        <source>Find a token</source>
        <translation>查找词元</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>no further flag so far: not all of the run is checked</source>
        <translation>目前没有更多告警：尚未检查完整个运行</translation>
    </message>
    <message>
        <source>no further flag</source>
        <translation>没有更多告警</translation>
    </message>
    <message>
        <source>no flag of warning or louder</source>
        <translation>没有警告或更严重的告警</translation>
    </message>
</context>
<context>
    <name>FlagDelegate</name>
    <message>
        <source>+{n} follow</source>
        <translation>+{n} 个后续</translation>
    </message>
</context>
<context>
    <name>FlagDetail</name>
    <message>
        <source>{measured}, the limit is {limit}</source>
        <translation>{measured}，阈值为 {limit}</translation>
    </message>
    <message>
        <source>{name} {value} (default {default})</source>
        <translation>{name} {value}（默认 {default}）</translation>
    </message>
    <message>
        <source>began {steps} before the loss or the gradient norm broke</source>
        <translation>早于损失或梯度范数异常 {steps}开始</translation>
    </message>
    <message>
        <source>began {steps} after the loss or the gradient norm broke</source>
        <translation>晚于损失或梯度范数异常 {steps}开始</translation>
    </message>
    <message>
        <source>began at the very step at which the loss or the gradient norm broke</source>
        <translation>与损失或梯度范数异常在同一步开始</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 步</translation>
    </message>
    <message>
        <source>{n} steps</source>
        <translation>{n} 步</translation>
    </message>
    <message>
        <source>stream {name}</source>
        <translation>数据流 {name}</translation>
    </message>
    <message>
        <source>sample {n}</source>
        <translation>样本 {n}</translation>
    </message>
    <message>
        <source>query {n}</source>
        <translation>查询 {n}</translation>
    </message>
    <message>
        <source>key {n}</source>
        <translation>键 {n}</translation>
    </message>
    <message>
        <source>step {n}</source>
        <translation>第 {n} 步</translation>
    </message>
    <message>
        <source>steps {first}-{last} ({n} frames)</source>
        <translation>第 {first}-{last} 步（{n} 帧）</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>已证实</translation>
    </message>
    <message>
        <source>excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>possible</source>
        <translation>可能</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测得</translation>
    </message>
    <message>
        <source>Own limits</source>
        <translation>自定阈值</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Follows from</source>
        <translation>起因于</translation>
    </message>
    <message>
        <source>Leads to</source>
        <translation>导致</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>为什么</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>怎么办</translation>
    </message>
    <message>
        <source>About this signal</source>
        <translation>关于此信号</translation>
    </message>
    <message>
        <source>Its limits</source>
        <translation>其阈值</translation>
    </message>
    <message>
        <source>one further finding, folded under it</source>
        <translation>另有 1 个发现，已折叠在其下</translation>
    </message>
    <message>
        <source>{n} further findings, folded under it</source>
        <translation>另有 {n} 个发现，已折叠在其下</translation>
    </message>
</context>
<context>
    <name>FlagModel</name>
    <message>
        <source>steps {steps}</source>
        <translation>第 {steps} 步</translation>
    </message>
</context>
<context>
    <name>Flags</name>
    <message>
        <source>whole run</source>
        <translation>整个运行</translation>
    </message>
</context>
<context>
    <name>FlagsPanel</name>
    <message>
        <source>Flags</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>Flags, and what was not evaluated</source>
        <translation>告警，以及未评估的内容</translation>
    </message>
    <message>
        <source>Not evaluated ({n})</source>
        <translation>未评估（{n}）</translation>
    </message>
    <message>
        <source>Not evaluated</source>
        <translation>未评估</translation>
    </message>
</context>
<context>
    <name>FlagsState</name>
    <message>
        <source>Nothing is open</source>
        <translation>没有打开任何运行记录</translation>
    </message>
    <message>
        <source>Open a run: what is wrong with it is listed here.</source>
        <translation>请打开一个运行记录：其中的问题会列在这里。</translation>
    </message>
    <message>
        <source>Checking {n}/{total}</source>
        <translation>检查中 {n}/{total}</translation>
    </message>
    <message>
        <source>By the limits of before. Checking anew: {n}/{total}</source>
        <translation>按先前的阈值。重新检查中：{n}/{total}</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>The filter above hides every flag of this run.</source>
        <translation>上方的筛选条件隐藏了此运行的所有告警。</translation>
    </message>
    <message>
        <source>Nothing found so far. Not everything has been seen.</source>
        <translation>目前没有发现问题。尚未检查全部内容。</translation>
    </message>
    <message>
        <source>Nothing could be judged</source>
        <translation>无法作出任何评估</translation>
    </message>
    <message>
        <source>See the tab “Not evaluated” for the reasons and what to record.</source>
        <translation>原因以及应当记录什么，请看“未评估”选项卡。</translation>
    </message>
    <message>
        <source>Checked: {what}.</source>
        <translation>已检查：{what}。</translation>
    </message>
    <message>
        <source>{n} labels describe healthy structure: show them with the tag above.</source>
        <translation>有 {n} 个标注描述健康的结构：可用上方的标签显示。</translation>
    </message>
    <message>
        <source>What could not be judged stands under “Not evaluated”.</source>
        <translation>无法评估的内容列在“未评估”中。</translation>
    </message>
    <message>
        <source>No problems in {n} frames</source>
        <translation>{n} 帧中没有问题</translation>
    </message>
</context>
<context>
    <name>Gaps</name>
    <message>
        <source>Every signal could be judged in every layer that was recorded.</source>
        <translation>在所有已记录的层中，每种信号都得到了评估。</translation>
    </message>
</context>
<context>
    <name>GapsTab</name>
    <message>
        <source>Signals that could not be judged</source>
        <translation>无法评估的信号</translation>
    </message>
    <message>
        <source>Next time, record with:</source>
        <translation>下次请这样记录：</translation>
    </message>
    <message>
        <source>The line to record with next time</source>
        <translation>下次记录时使用的代码行</translation>
    </message>
    <message>
        <source>Copy the line</source>
        <translation>复制此行</translation>
    </message>
</context>
<context>
    <name>GoToField</name>
    <message>
        <source>Go to step or head</source>
        <translation>前往某步或某头</translation>
    </message>
    <message>
        <source>Step or head</source>
        <translation>步或头</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>前往</translation>
    </message>
</context>
<context>
    <name>GridMenu</name>
    <message>
        <source>Order of the heads</source>
        <translation>头的顺序</translation>
    </message>
    <message>
        <source>Largest {0} first</source>
        <translation>{0}最大者在前</translation>
    </message>
    <message>
        <source>By the number on the tiles (none is chosen)</source>
        <translation>按图块上的数值（未选择）</translation>
    </message>
    <message>
        <source>Most like {0} first</source>
        <translation>与 {0} 最相似者在前</translation>
    </message>
    <message>
        <source>Most like the selected head (none is selected)</source>
        <translation>与所选的头最相似者在前（未选择头）</translation>
    </message>
    <message>
        <source>Most changed since step {0} first</source>
        <translation>自第 {0} 步以来变化最大者在前</translation>
    </message>
    <message>
        <source>Most different in B first</source>
        <translation>在 B 中差异最大者在前</translation>
    </message>
    <message>
        <source>Most changed since the pinned step (none is pinned)</source>
        <translation>自固定步以来变化最大者在前（未固定）</translation>
    </message>
    <message>
        <source>Layers down, heads right</source>
        <translation>层自上而下，头自左而右</translation>
    </message>
    <message>
        <source>Worst finding first</source>
        <translation>最严重的发现在前</translation>
    </message>
    <message>
        <source>Heads without findings</source>
        <translation>没有发现的头</translation>
    </message>
    <message>
        <source>Leave them out</source>
        <translation>不显示</translation>
    </message>
    <message>
        <source>Fade them</source>
        <translation>淡化显示</translation>
    </message>
    <message>
        <source>Only some heads</source>
        <translation>只显示部分头</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>With a tag</source>
        <translation>带标签</translation>
    </message>
    <message>
        <source>Any, or none</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>With a finding, at any step</source>
        <translation>有发现（任意步）</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Layers {0} to {1}</source>
        <translation>第 {0} 至 {1} 层</translation>
    </message>
    <message>
        <source>Only layer {0}</source>
        <translation>仅第 {0} 层</translation>
    </message>
    <message>
        <source>Up to layer {0}</source>
        <translation>到第 {0} 层为止</translation>
    </message>
    <message>
        <source>From layer {0} on</source>
        <translation>从第 {0} 层起</translation>
    </message>
    <message>
        <source>Compare steps</source>
        <translation>比较各步</translation>
    </message>
    <message>
        <source>Pin this step, show what changes from here</source>
        <translation>固定此步，显示此后的变化</translation>
    </message>
    <message>
        <source>Show the change since step {0}</source>
        <translation>显示自第 {0} 步以来的变化</translation>
    </message>
    <message>
        <source>Let go of step {0}</source>
        <translation>取消固定第 {0} 步</translation>
    </message>
    <message>
        <source>Ranges from the data</source>
        <translation>范围取自数据</translation>
    </message>
    <message>
        <source>Leave out sinks and special tokens</source>
        <translation>不计注意力汇与特殊词元</translation>
    </message>
    <message>
        <source>Show the whole grid</source>
        <translation>显示整个网格</translation>
    </message>
</context>
<context>
    <name>HeadCanvas</name>
    <message>
        <source>where query {0} looks</source>
        <translation>查询 {0} 看向何处</translation>
    </message>
    <message>
        <source>to {0}</source>
        <translation>到 {0}</translation>
    </message>
    <message>
        <source>attention received (mean over queries)</source>
        <translation>收到的注意力（对查询取平均）</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
</context>
<context>
    <name>HeadGrid</name>
    <message>
        <source>No head has a finding here.</source>
        <translation>这里没有任何头有发现。</translation>
    </message>
    <message>
        <source>No head passes the filters.</source>
        <translation>没有头符合筛选条件。</translation>
    </message>
    <message>
        <source>Head grid, no head selected</source>
        <translation>头网格，未选择头</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>no head has maps of the same size in both runs</source>
        <translation>没有哪个头在两个运行记录中的图大小相同</translation>
    </message>
</context>
<context>
    <name>HeadHeader</name>
    <message>
        <source>Lines</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Show lines from queries to keys instead of the matrix</source>
        <translation>显示从查询到键的连线，代替矩阵</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Lay where the selected query looks over the picture; click a patch</source>
        <translation>将所选查询看向的位置叠加到图片上；点击图像块</translation>
    </message>
    <message>
        <source>Film</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>Show this head at the steps around the current one</source>
        <translation>显示此头在当前步前后各步的样子</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Pin this map, then step or select another head: A, B and what changed</source>
        <translation>固定此图，然后移动步或选择另一个头：A、B 以及变化</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>解释</translation>
    </message>
    <message>
        <source>Show how the selected weight came about: q·k, scale, mask, softmax</source>
        <translation>显示所选权重的由来：q·k、缩放、掩码、softmax</translation>
    </message>
    <message>
        <source>Back to the grid (Esc)</source>
        <translation>返回网格（Esc）</translation>
    </message>
    <message>
        <source>Back to the grid</source>
        <translation>返回网格</translation>
    </message>
</context>
<context>
    <name>HeadStrip</name>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 与 B</translation>
    </message>
    <message>
        <source>Pin this map</source>
        <translation>固定此图</translation>
    </message>
    <message>
        <source>Keep the current head and step beside what you look at next</source>
        <translation>将当前的头与步保留在接下来查看的内容旁边</translation>
    </message>
    <message>
        <source>Unpin all</source>
        <translation>全部取消固定</translation>
    </message>
    <message>
        <source>Let go of all pinned maps and show the current one alone</source>
        <translation>取消固定所有图，只显示当前的图</translation>
    </message>
    <message>
        <source>Turn the sign of the difference</source>
        <translation>反转差值的符号</translation>
    </message>
    <message>
        <source>One of the two has no map.</source>
        <translation>两者之一没有注意力图。</translation>
    </message>
    <message>
        <source>difference {0}</source>
        <translation>差值 {0}</translation>
    </message>
    <message>
        <source>no finite cell differs</source>
        <translation>没有不同的有限单元格</translation>
    </message>
    <message>
        <source>{0} of {1} cells not finite</source>
        <translation>{1} 个单元格中有 {0} 个非有限值</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>A − B</source>
        <translation>A − B</translation>
    </message>
    <message>
        <source>q {0} → k {1}</source>
        <translation>q {0} → k {1}</translation>
    </message>
</context>
<context>
    <name>HeadView</name>
    <message>
        <source>up to this head&apos;s largest weight</source>
        <translation>到此头的最大权重为止</translation>
    </message>
    <message>
        <source>full map, {0} queries x {1} keys</source>
        <translation>完整图，{0} 个查询 x {1} 个键</translation>
    </message>
    <message>
        <source>Click a cell, and its weight is explained here.</source>
        <translation>点击单元格，此处将说明其权重的由来。</translation>
    </message>
    <message>
        <source>Head view</source>
        <translation>头视图</translation>
    </message>
    <message>
        <source>Head view, no head is open</source>
        <translation>头视图，没有打开头</translation>
    </message>
    <message>
        <source>Layer {0}, head {1}</source>
        <translation>第 {0} 层，头 {1}</translation>
    </message>
    <message>
        <source>No head is open. Double-click one in the grid.</source>
        <translation>没有打开头。请在网格中双击一个头。</translation>
    </message>
    <message>
        <source>Nothing was captured in this layer at step {0}: a gap, not zeros.</source>
        <translation>第 {0} 步在此层没有捕获到任何内容：这是空缺，不是零。</translation>
    </message>
    <message>
        <source>At step {0} only overviews were stored, no full maps. Step on to see the next one.</source>
        <translation>第 {0} 步只存储了概览，没有完整图。请向前移动以查看下一个。</translation>
    </message>
    <message>
        <source>This layer has no map here: no queries or no keys.</source>
        <translation>此层在这里没有注意力图：没有查询或没有键。</translation>
    </message>
    <message>
        <source>step {0}</source>
        <translation>第 {0} 步</translation>
    </message>
    <message>
        <source>sample {0}</source>
        <translation>样本 {0}</translation>
    </message>
    <message>
        <source>full map, stored as {0}</source>
        <translation>完整图，存储为 {0}</translation>
    </message>
    <message>
        <source>captured {0} times in this step</source>
        <translation>在此步中捕获了 {0} 次</translation>
    </message>
    <message>
        <source>q {0} “{1}” → k {2} “{3}”</source>
        <translation>q {0} “{1}” → k {2} “{3}”</translation>
    </message>
    <message>
        <source>masked, yet it has weight</source>
        <translation>被屏蔽，但有权重</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>被屏蔽</translation>
    </message>
    <message>
        <source>row sum {0}</source>
        <translation>行和 {0}</translation>
    </message>
    <message>
        <source>row entropy {0}</source>
        <translation>行熵 {0}</translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>Checking {n}/{total}</source>
        <translation>检查中 {n}/{total}</translation>
    </message>
    <message>
        <source>{n} of {total} steps checked</source>
        <translation>已检查 {n}/{total} 步</translation>
    </message>
    <message>
        <source>Nothing could be judged: see “Not evaluated” for the reasons.</source>
        <translation>无法作出任何评估：原因请看“未评估”。</translation>
    </message>
    <message>
        <source>No problems in {frames} steps × {heads} heads (checked: {what})</source>
        <translation>{frames} 步 × {heads} 个头中没有问题（已检查：{what}）</translation>
    </message>
    <message>
        <source>1 notice.</source>
        <translation>1 个提示。</translation>
    </message>
    <message>
        <source>{n} notices.</source>
        <translation>{n} 个提示。</translation>
    </message>
    <message>
        <source>1 problem.</source>
        <translation>1 个问题。</translation>
    </message>
    <message>
        <source>{n} problems.</source>
        <translation>{n} 个问题。</translation>
    </message>
    <message>
        <source>First: {where}, {what}.</source>
        <translation>首个：{where}，{what}。</translation>
    </message>
    <message>
        <source>First: step {step}, {where} {what}.</source>
        <translation>首个：第 {step} 步，{where}，{what}。</translation>
    </message>
    <message>
        <source>{what} since step {step} (origin {where}).</source>
        <translation>自第 {step} 步起：{what}（起源 {where}）。</translation>
    </message>
</context>
<context>
    <name>HealthLine</name>
    <message>
        <source>Go there  ]</source>
        <translation>前往  ]</translation>
    </message>
    <message>
        <source>Show the first problem: its step, head and cell.  Key: ]</source>
        <translation>显示首个问题：其步、头与单元格。  按键：]</translation>
    </message>
    <message>
        <source>Go to the first problem</source>
        <translation>前往首个问题</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>Key</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
</context>
<context>
    <name>HelpWindow</name>
    <message>
        <source>Attention Debugger: help</source>
        <translation>Attention Debugger：帮助</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Search in the help</source>
        <translation>在帮助中搜索</translation>
    </message>
    <message>
        <source>Pages of the help</source>
        <translation>帮助页面</translation>
    </message>
    <message>
        <source>Help page</source>
        <translation>帮助页面</translation>
    </message>
    <message>
        <source>This page is in English only, for now.</source>
        <translation>此帮助页目前只有英文。</translation>
    </message>
    <message>
        <source># No such page

The help has no page `{name}`.</source>
        <translation># 没有此页面

帮助中没有页面 `{name}`。</translation>
    </message>
</context>
<context>
    <name>HowToRecord</name>
    <message>
        <source>Six lines that record a run</source>
        <translation>记录一次运行的六行代码</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the six lines</source>
        <translation>复制这六行代码</translation>
    </message>
    <message>
        <source>Works on models whose code it does not touch.</source>
        <translation>无需改动模型的代码即可使用。</translation>
    </message>
</context>
<context>
    <name>ImportCommands</name>
    <message>
        <source>{0} could not be looked into</source>
        <translation>无法查看 {0} 的内容</translation>
    </message>
    <message>
        <source>import of {0}</source>
        <translation>导入 {0}</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
</context>
<context>
    <name>ImportDetails</name>
    <message>
        <source>as in the files</source>
        <translation>与文件中相同</translation>
    </message>
    <message>
        <source>Heads of each layer where the first axis holds batch × heads in one.</source>
        <translation>第一个轴合并了批次 × 头时，每层的头数。</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Tokens (*.json *.txt);;All files (*)</source>
        <translation>词元 (*.json *.txt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>A JSON list of strings, or a text with one token a line.</source>
        <translation>字符串的 JSON 列表，或每行一个词元的文本。</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Padding (*.npy *.json);;All files (*)</source>
        <translation>填充 (*.npy *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>True where a key is padding: .npy or JSON.</source>
        <translation>键为填充之处为 True：.npy 或 JSON。</translation>
    </message>
    <message>
        <source>Losses</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>CSV (*.csv);;All files (*)</source>
        <translation>CSV (*.csv);;所有文件 (*)</translation>
    </message>
    <message>
        <source>A CSV file with the columns step and loss.</source>
        <translation>含 step 与 loss 两列的 CSV 文件。</translation>
    </message>
    <message>
        <source>What the data cannot say, as name=value, separated by semicolons.</source>
        <translation>数据本身无法说明的内容，写作 name=value，以分号分隔。</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>“{0}”: write an attribute as name=value, e.g. causal=True</source>
        <translation>“{0}”：属性请写作 name=value，例如 causal=True</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import {0}</source>
        <translation>导入 {0}</translation>
    </message>
    <message>
        <source>Names of the axes in their order, out of: {0}</source>
        <translation>按顺序写出各轴的名称，可用：{0}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>{0} holds attention that was dumped by hand.</source>
        <translation>{0} 含有手工转存的注意力。</translation>
    </message>
    <message>
        <source>{0} is no archive of this program: the datasets “steps” and “layers/0/weights” are missing.</source>
        <translation>{0} 不是本程序的存档：缺少数据集“steps”和“layers/0/weights”。</translation>
    </message>
    <message>
        <source>No dataset in it has rows that sum to 1; name one yourself.</source>
        <translation>其中没有行和为 1 的数据集；请自行指定。</translation>
    </message>
    <message>
        <source>all that look like attention</source>
        <translation>所有看起来像注意力的数据集</translation>
    </message>
    <message>
        <source>Use /{0}</source>
        <translation>使用 /{0}</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Say where the archive shall be written.</source>
        <translation>请指定存档的写入位置。</translation>
    </message>
    <message>
        <source>Write the archive to</source>
        <translation>将存档写入</translation>
    </message>
    <message>
        <source>Recorded runs (*.h5)</source>
        <translation>运行记录 (*.h5)</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>File names</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Write to</source>
        <translation>写入到</translation>
    </message>
    <message>
        <source>What the files do not say (optional)</source>
        <translation>文件没有说明的内容（可选）</translation>
    </message>
</context>
<context>
    <name>Indicators</name>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>LIVE</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Following</source>
        <translation>跟随中</translation>
    </message>
    <message>
        <source>+{0} new</source>
        <translation>+{0} 新步</translation>
    </message>
    <message>
        <source>Follow (live)</source>
        <translation>跟随（实时）</translation>
    </message>
    <message>
        <source>no new step for {0} min</source>
        <translation>{0} 分钟没有新的步</translation>
    </message>
</context>
<context>
    <name>Job</name>
    <message>
        <source>{0}: the process ended abruptly; perhaps memory ran out</source>
        <translation>{0}：进程突然终止；可能是内存不足</translation>
    </message>
    <message>
        <source>{0}: Python could not be started: {1}</source>
        <translation>{0}：无法启动 Python：{1}</translation>
    </message>
    <message>
        <source>it gave no reason (exit code {0})</source>
        <translation>没有给出原因（退出代码 {0}）</translation>
    </message>
</context>
<context>
    <name>JobProgress</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop this job.  Key: Esc</source>
        <translation>停止此任务。  按键：Esc</translation>
    </message>
    <message>
        <source>Cancel the running job</source>
        <translation>取消正在运行的任务</translation>
    </message>
</context>
<context>
    <name>Jobs</name>
    <message>
        <source>demo {0}</source>
        <translation>演示 {0}</translation>
    </message>
    <message>
        <source>the child process gave no result</source>
        <translation>子进程没有给出结果</translation>
    </message>
    <message>
        <source>checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>probe</source>
        <translation>探测</translation>
    </message>
    <message>
        <source>recomputing</source>
        <translation>重新计算</translation>
    </message>
    <message>
        <source>scaling heads</source>
        <translation>缩放头</translation>
    </message>
    <message>
        <source>replacing tokens</source>
        <translation>替换词元</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>检查点</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>en</source>
        <translation>zh_CN</translation>
    </message>
</context>
<context>
    <name>LegendBar</name>
    <message>
        <source>Legend of the colours</source>
        <translation>颜色图例</translation>
    </message>
    <message>
        <source>linear scale</source>
        <translation>线性刻度</translation>
    </message>
    <message>
        <source>square-root scale</source>
        <translation>平方根刻度</translation>
    </message>
    <message>
        <source>logarithmic scale</source>
        <translation>对数刻度</translation>
    </message>
    <message>
        <source>NaN or infinite</source>
        <translation>NaN 或无穷大</translation>
    </message>
    <message>
        <source>masked</source>
        <translation>被屏蔽</translation>
    </message>
    <message>
        <source>not captured</source>
        <translation>未捕获</translation>
    </message>
</context>
<context>
    <name>LimitsDialog</name>
    <message>
        <source>Limits of the signals</source>
        <translation>信号的阈值</translation>
    </message>
    <message>
        <source>Search: what it limits, its name, a signal</source>
        <translation>搜索：所限制的内容、名称、信号</translation>
    </message>
    <message>
        <source>Search in the limits</source>
        <translation>在阈值中搜索</translation>
    </message>
    <message>
        <source>Show the limits of all signals again</source>
        <translation>重新显示所有信号的阈值</translation>
    </message>
    <message>
        <source>What the run&apos;s flags are by these limits</source>
        <translation>按这些阈值，运行的告警如何</translation>
    </message>
    <message>
        <source>Reset this</source>
        <translation>重置此项</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>Load…</source>
        <translation>载入…</translation>
    </message>
    <message>
        <source>Read limits from a TOML file, as check --thresholds does</source>
        <translation>从 TOML 文件读取阈值，同 check --thresholds</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Write the changed limits as a file for check --thresholds</source>
        <translation>将更改过的阈值写成文件，供 check --thresholds 使用</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Only: {signal}  ✕</source>
        <translation>仅：{signal}  ✕</translation>
    </message>
    <message>
        <source>{n} {severity}</source>
        <translation>{n} 个{severity}</translation>
    </message>
    <message>
        <source>no flags</source>
        <translation>没有告警</translation>
    </message>
    <message>
        <source>This run by these limits: {found}</source>
        <translation>此运行按这些阈值：{found}</translation>
    </message>
    <message>
        <source>Checking anew, {n}/{total}: {found} so far</source>
        <translation>重新检查中，{n}/{total}：目前 {found}</translation>
    </message>
    <message>
        <source>Checking, {n}/{total}: {found} so far</source>
        <translation>检查中，{n}/{total}：目前 {found}</translation>
    </message>
    <message>
        <source>No run is open; the limits hold for the next one.</source>
        <translation>没有打开运行记录；阈值将用于下一个。</translation>
    </message>
    <message>
        <source>Load limits</source>
        <translation>载入阈值</translation>
    </message>
    <message>
        <source>Limits (*.toml);;All files (*)</source>
        <translation>阈值 (*.toml);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save limits</source>
        <translation>保存阈值</translation>
    </message>
    <message>
        <source>Limits (*.toml)</source>
        <translation>阈值 (*.toml)</translation>
    </message>
    <message>
        <source>{path} cannot be written ({why}); choose another place</source>
        <translation>无法写入 {path}（{why}）；请选择其他位置</translation>
    </message>
    <message>
        <source>Written: {path}</source>
        <translation>已写入：{path}</translation>
    </message>
    <message>
        <source>This signal has no limits: it holds or it does not</source>
        <translation>此信号没有阈值：要么成立，要么不成立</translation>
    </message>
    <message>
        <source>No limit matches</source>
        <translation>没有匹配的阈值</translation>
    </message>
    <message>
        <source>All limits are at their defaults.</source>
        <translation>所有阈值均为默认值。</translation>
    </message>
    <message>
        <source>1 limit is changed; it holds for every run you open.</source>
        <translation>更改了 1 个阈值；它适用于您打开的每个运行记录。</translation>
    </message>
    <message>
        <source>{n} limits are changed; they hold for every run you open.</source>
        <translation>更改了 {n} 个阈值；它们适用于您打开的每个运行记录。</translation>
    </message>
</context>
<context>
    <name>LimitsTree</name>
    <message>
        <source>Limits of the signals</source>
        <translation>信号的阈值</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>“{text}” is not a number</source>
        <translation>“{text}”不是数字</translation>
    </message>
    <message>
        <source>every statistic of a head</source>
        <translation>头的每项统计量</translation>
    </message>
    <message>
        <source>{name}
Decides on: {signals}</source>
        <translation>{name}
决定：{signals}</translation>
    </message>
</context>
<context>
    <name>LinkBar</name>
    <message>
        <source>Reconnect now</source>
        <translation>立即重新连接</translation>
    </message>
    <message>
        <source>What was loaded can still be looked at.</source>
        <translation>已加载的内容仍可查看。</translation>
    </message>
    <message>
        <source>It is tried again in {0} s.</source>
        <translation>将在 {0} 秒后重试。</translation>
    </message>
    <message>
        <source>Connecting again…</source>
        <translation>正在重新连接…</translation>
    </message>
</context>
<context>
    <name>LinksView</name>
    <message>
        <source>Lines from queries to the keys they look at</source>
        <translation>从查询到其所看的键的连线</translation>
    </message>
</context>
<context>
    <name>LookBar</name>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>square root</source>
        <translation>平方根</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>per head</source>
        <translation>按头</translation>
    </message>
    <message>
        <source>per layer</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>from data</source>
        <translation>取自数据</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>diagonal</source>
        <translation>对角线</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>max score</source>
        <translation>最大分数</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>刻度</translation>
    </message>
    <message>
        <source>Scale of the grid</source>
        <translation>网格的刻度</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Weights that the colours span</source>
        <translation>颜色所跨的权重范围</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>颜色表</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Number written on each tile</source>
        <translation>写在每个图块上的数值</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>数据流</translation>
    </message>
    <message>
        <source>Frames to step through</source>
        <translation>要浏览的帧</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Item of the batch</source>
        <translation>批次中的样本</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Opening {0}…</source>
        <translation>正在打开 {0}…</translation>
    </message>
    <message>
        <source>Panels that share this place</source>
        <translation>共用此位置的面板</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>前往(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Heads</source>
        <translation>头(&amp;H)</translation>
    </message>
    <message>
        <source>H&amp;elp</source>
        <translation>帮助(&amp;E)</translation>
    </message>
    <message>
        <source>Worst heads</source>
        <translation>最差的头</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
</context>
<context>
    <name>Model</name>
    <message>
        <source>The outputs of the layers were not recorded at this step.</source>
        <translation>此步没有记录各层的输出。</translation>
    </message>
    <message>
        <source>Outputs at step {n}</source>
        <translation>第 {n} 步的输出</translation>
    </message>
    <message>
        <source>The range jumps after layer {n}: {factor} times the variance</source>
        <translation>第 {n} 层之后范围跳变：方差为 {factor} 倍</translation>
    </message>
    <message>
        <source>The output of layer {n} is not finite</source>
        <translation>第 {n} 层的输出非有限值</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>{a} passed, {b} failed, {c} not run</source>
        <translation>{a} 项通过，{b} 项未通过，{c} 项未运行</translation>
    </message>
    <message>
        <source>Rules on its weights and settings</source>
        <translation>对其参数权重与设置的规则</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Largest difference</source>
        <translation>最大差值</translation>
    </message>
    <message>
        <source>{measure}: {baseline} {unit} with the model as it is</source>
        <translation>{measure}：模型保持原样时为 {baseline} {unit}</translation>
    </message>
    <message>
        <source>Heads {what}, one at a time</source>
        <translation>头{what}，逐个进行</translation>
    </message>
    <message>
        <source>The changes stand on the tiles until you choose another number for them.</source>
        <translation>变化值显示在图块上，直到您为图块选择其他数值。</translation>
    </message>
    <message>
        <source>Tokens taken away, and what the others lose</source>
        <translation>去掉的词元，以及其余词元的损失变化</translation>
    </message>
    <message>
        <source> at {place}</source>
        <translation>，位于 {place}</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>以及另外 {n} 个</translation>
    </message>
    <message>
        <source>{measure} of sample {n}, replaced by {what}</source>
        <translation>样本 {n} 的{measure}，替换为{what}</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Logits</source>
        <translation>Logits（输出分数）</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Spread of the entries at step {n}</source>
        <translation>第 {n} 步各元素的离散程度</translation>
    </message>
    <message>
        <source>{n} times xavier</source>
        <translation>xavier 的 {n} 倍</translation>
    </message>
    <message>
        <source>never moved</source>
        <translation>从未变动</translation>
    </message>
    <message>
        <source>step {n}</source>
        <translation>第 {n} 步</translation>
    </message>
    <message>
        <source>{n} parameters</source>
        <translation>{n} 个参数</translation>
    </message>
    <message>
        <source>{n} ({k} key)</source>
        <translation>{n}（{k} 个键头）</translation>
    </message>
    <message>
        <source>{width} ({n} heads × {d})</source>
        <translation>{width}（{n} 个头 × {d}）</translation>
    </message>
    <message>
        <source>unknown (not in the weights)</source>
        <translation>未知（不在参数权重中）</translation>
    </message>
    <message>
        <source>q, k, v in one matrix</source>
        <translation>q、k、v 在同一矩阵中</translation>
    </message>
    <message>
        <source>q, k, v apart</source>
        <translation>q、k、v 分开</translation>
    </message>
    <message>
        <source>not matched</source>
        <translation>未匹配</translation>
    </message>
    <message>
        <source>layer {n}</source>
        <translation>第 {n} 层</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Head count from</source>
        <translation>头数来源</translation>
    </message>
    <message>
        <source>Projections</source>
        <translation>投影</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Dtype</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>In the archive</source>
        <translation>在存档中</translation>
    </message>
    <message>
        <source>{n} parameters are NaN or infinite</source>
        <translation>{n} 个参数为 NaN 或无穷大</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Without a partner</source>
        <translation>没有对应项</translation>
    </message>
    <message>
        <source>No checks were run on this checkpoint.</source>
        <translation>没有对此检查点运行检查。</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>Score gain</source>
        <translation>分数增益</translation>
    </message>
    <message>
        <source>Largest singular value of W_q·W_k of the head over sqrt(d_head): how large a score it can make of an input of norm 1. Where it grows, scores grow.</source>
        <translation>此头 W_q·W_k 的最大奇异值除以 sqrt(d_head)：对范数为 1 的输入能产生多大的分数。它增长，分数也增长。</translation>
    </message>
    <message>
        <source>Norm of W_q</source>
        <translation>W_q 的范数</translation>
    </message>
    <message>
        <source>Norm of W_k</source>
        <translation>W_k 的范数</translation>
    </message>
    <message>
        <source>Norm of W_v</source>
        <translation>W_v 的范数</translation>
    </message>
    <message>
        <source>Norm of W_o</source>
        <translation>W_o 的范数</translation>
    </message>
    <message>
        <source>Trace / nuclear norm</source>
        <translation>迹 / 核范数</translation>
    </message>
    <message>
        <source>Of W_q transposed times W_k: 1.00 when queries and keys share their weights.</source>
        <translation>取自 W_q 转置乘 W_k：查询与键共用权重时为 1.00。</translation>
    </message>
    <message>
        <source>Stable rank</source>
        <translation>稳定秩</translation>
    </message>
    <message>
        <source>Directions that W_q·W_k really uses; 1 = a single one.</source>
        <translation>W_q·W_k 实际使用的方向数；1 = 仅一个方向。</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>参数权重</translation>
    </message>
    <message>
        <source>silenced</source>
        <translation>静默</translation>
    </message>
    <message>
        <source>scaled by {factor}</source>
        <translation>缩放 {factor} 倍</translation>
    </message>
</context>
<context>
    <name>ModelPanel</name>
    <message>
        <source>Open checkpoint…</source>
        <translation>打开检查点…</translation>
    </message>
    <message>
        <source>Read a state dict (.pt) or safetensors file. No code in it is ever run.</source>
        <translation>读取 state dict（.pt）或 safetensors 文件。绝不运行其中的代码。</translation>
    </message>
    <message>
        <source>Open a checkpoint</source>
        <translation>打开检查点</translation>
    </message>
    <message>
        <source>Checkpoints saved beside the run</source>
        <translation>与运行记录一同保存的检查点</translation>
    </message>
    <message>
        <source>Attention modules of the checkpoint</source>
        <translation>检查点的注意力模块</translation>
    </message>
    <message>
        <source>Checks of the checkpoint</source>
        <translation>检查点的检查</translation>
    </message>
    <message>
        <source>Checkpoints ({n})</source>
        <translation>检查点（{n}）</translation>
    </message>
    <message>
        <source>step {n}: {name}</source>
        <translation>第 {n} 步：{name}</translation>
    </message>
    <message>
        <source>No checkpoint is attached.</source>
        <translation>没有附加检查点。</translation>
    </message>
    <message>
        <source>Attach a checkpoint to see its layers, heads and checks beside the run.</source>
        <translation>附加一个检查点，即可在运行记录旁查看其层、头与检查。</translation>
    </message>
    <message>
        <source>Open a state dict (.pt) or a safetensors file, or drop one onto the window.</source>
        <translation>请打开 state dict（.pt）或 safetensors 文件，或将其拖放到窗口上。</translation>
    </message>
    <message>
        <source>This run lists the checkpoints saved beside it: choose one above.</source>
        <translation>此运行列出了与其一同保存的检查点：请在上方选择。</translation>
    </message>
    <message>
        <source>No checkpoint</source>
        <translation>没有检查点</translation>
    </message>
    <message>
        <source>Pages on the model</source>
        <translation>模型页面</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>参数权重</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
</context>
<context>
    <name>ModelRuns</name>
    <message>
        <source>Model checks</source>
        <translation>模型检查</translation>
    </message>
    <message>
        <source>Recompute this step</source>
        <translation>重新计算此步</translation>
    </message>
    <message>
        <source>Scale heads</source>
        <translation>缩放头</translation>
    </message>
    <message>
        <source>Replace tokens</source>
        <translation>替换词元</translation>
    </message>
    <message>
        <source>Probe this step</source>
        <translation>探测此步</translation>
    </message>
    <message>
        <source>Open a run first: its step is what is meant.</source>
        <translation>请先打开一个运行记录：将使用其当前步。</translation>
    </message>
    <message>
        <source>This run lies on another machine: copy it here to recompute its steps.</source>
        <translation>此运行记录位于另一台机器：请复制到本机以重新计算其各步。</translation>
    </message>
    <message>
        <source>Probe checkpoints</source>
        <translation>探测检查点</translation>
    </message>
    <message>
        <source>recorded − recomputed</source>
        <translation>记录 − 重新计算</translation>
    </message>
    <message>
        <source>{measure}, head {what}</source>
        <translation>{measure}，头{what}</translation>
    </message>
</context>
<context>
    <name>ModulesModel</name>
    <message>
        <source>Module in {path}</source>
        <translation>{path} 中的模块</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
</context>
<context>
    <name>Movement</name>
    <message>
        <source>this run has no stream “{0}”</source>
        <translation>此运行没有数据流“{0}”</translation>
    </message>
</context>
<context>
    <name>NoteEditor</name>
    <message>
        <source>Note</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Text of the note</source>
        <translation>笔记的文本</translation>
    </message>
    <message>
        <source>What do you see here? An empty text is no note.</source>
        <translation>您在这里看到了什么？空文本不算笔记。</translation>
    </message>
    <message>
        <source>Keep the note (Ctrl+Enter)</source>
        <translation>保存笔记（Ctrl+Enter）</translation>
    </message>
</context>
<context>
    <name>Notebook</name>
    <message>
        <source>the notes of {0} cannot be kept: {1}. They stay in this window and are tried again at the next change</source>
        <translation>无法保存 {0} 的笔记：{1}。笔记保留在此窗口中，下次更改时会再次尝试保存</translation>
    </message>
</context>
<context>
    <name>Notes</name>
    <message>
        <source>step {0}</source>
        <translation>第 {0} 步</translation>
    </message>
    <message>
        <source>sample {0}</source>
        <translation>样本 {0}</translation>
    </message>
    <message>
        <source>query {0} → key {1}</source>
        <translation>查询 {0} → 键 {1}</translation>
    </message>
    <message>
        <source>{0}: these notes were written on another recording named {1}; they are shown by their steps and heads, check whether they still hold</source>
        <translation>{0}：这些笔记写于另一个名为 {1} 的运行记录；现按其步与头显示，请核对是否仍然成立</translation>
    </message>
    <message>
        <source>{0}: the notes cannot be read: {1}</source>
        <translation>{0}：无法读取笔记：{1}</translation>
    </message>
    <message>
        <source>not UTF-8 text</source>
        <translation>不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>the notes cannot be read: {0}</source>
        <translation>无法读取笔记：{0}</translation>
    </message>
    <message>
        <source>{0} of the notes cannot be read</source>
        <translation>有 {0} 条笔记无法读取</translation>
    </message>
    <message>
        <source>{0}: {1}. A copy is kept as {2}</source>
        <translation>{0}：{1}。副本保存为 {2}</translation>
    </message>
    <message>
        <source>{0}: {1}. No copy could be made, so the file is left as it is</source>
        <translation>{0}：{1}。无法制作副本，因此文件保持原样</translation>
    </message>
    <message>
        <source>{0}: these notes were written when the run lay elsewhere</source>
        <translation>{0}：写这些笔记时，运行记录位于别处</translation>
    </message>
    <message>
        <source>the folder of {0} cannot be written to; its notes are kept in {1}</source>
        <translation>{0} 所在的文件夹不可写；其笔记保存在 {1}</translation>
    </message>
    <message>
        <source>the file is too large to be notes</source>
        <translation>文件过大，不可能是笔记</translation>
    </message>
</context>
<context>
    <name>NotesTab</name>
    <message>
        <source>Ctrl+B marks this step and head, M writes a note on it. Both are kept in a file beside the run; the run itself stays as it is.</source>
        <translation>Ctrl+B 标记此步与头，M 为其写笔记。两者都保存在运行记录旁的文件中；运行记录本身不变。</translation>
    </message>
    <message>
        <source>Bookmarks and notes</source>
        <translation>书签与笔记</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Mark this step and head, or take the mark away (Ctrl+B)</source>
        <translation>标记此步与头，或取消标记（Ctrl+B）</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>笔记…</translation>
    </message>
    <message>
        <source>Write a note on this step and head (M)</source>
        <translation>为此步与头写笔记（M）</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Change the text of the selected note</source>
        <translation>修改所选笔记的文本</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete the selected note (Ctrl+Z brings it back)</source>
        <translation>删除所选笔记（Ctrl+Z 可恢复）</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Dismiss this message</source>
        <translation>关闭此消息</translation>
    </message>
</context>
<context>
    <name>Noting</name>
    <message>
        <source>Bookmarks &amp;&amp; notes</source>
        <translation>书签与笔记</translation>
    </message>
    <message>
        <source>bookmark set: {0}</source>
        <translation>已设书签：{0}</translation>
    </message>
    <message>
        <source>bookmark gone: {0}</source>
        <translation>已取消书签：{0}</translation>
    </message>
    <message>
        <source>deleted; Ctrl+Z brings it back</source>
        <translation>已删除；Ctrl+Z 可恢复</translation>
    </message>
    <message>
        <source>there is no bookmark {0}, only {1}</source>
        <translation>没有书签 {0}，只有 {1} 个</translation>
    </message>
    <message>
        <source>there is no bookmark yet: Ctrl+B sets one</source>
        <translation>还没有书签：按 Ctrl+B 设一个</translation>
    </message>
    <message>
        <source>step {0} is not in this run, showing {1}</source>
        <translation>此运行没有第 {0} 步，显示第 {1} 步</translation>
    </message>
    <message>
        <source>this run has no head {0}</source>
        <translation>此运行没有头 {0}</translation>
    </message>
</context>
<context>
    <name>OpenRemoteDialog</name>
    <message>
        <source>Open a run on another machine</source>
        <translation>打开另一台机器上的运行记录</translation>
    </message>
    <message>
        <source>Address of the recorded run:</source>
        <translation>运行记录的地址：</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Names, ports and keys of your ssh configuration hold here too: ssh://cluster/… is enough where “ssh cluster” works. ~ is your folder there: ssh://cluster/~/run.h5. Nothing is ever written at the other end.</source>
        <translation>您的 ssh 配置中的名称、端口和密钥在这里同样有效：能用“ssh cluster”登录时，ssh://cluster/… 即可。~ 是您在那里的主文件夹：ssh://cluster/~/run.h5。绝不会向另一端写入任何内容。</translation>
    </message>
</context>
<context>
    <name>OutputsView</name>
    <message>
        <source>Output statistics of the layers at this step</source>
        <translation>此步各层输出的统计</translation>
    </message>
    <message>
        <source>Mean, spread and largest value of each layer&apos;s output at this step.</source>
        <translation>此步各层输出的均值、离散程度与最大值。</translation>
    </message>
</context>
<context>
    <name>PictureView</name>
    <message>
        <source>The picture, and where the selected query looks</source>
        <translation>图片，以及所选查询看向的位置</translation>
    </message>
    <message>
        <source>query {0} “{1}”</source>
        <translation>查询 {0} “{1}”</translation>
    </message>
    <message>
        <source>{0} of its weight on patches</source>
        <translation>其权重的 {0} 在图像块上</translation>
    </message>
    <message>
        <source>brightest patch {0}</source>
        <translation>最亮的图像块 {0}</translation>
    </message>
    <message>
        <source>the picture itself was not recorded</source>
        <translation>图片本身没有记录</translation>
    </message>
</context>
<context>
    <name>Places</name>
    <message>
        <source>“{0}” is neither a step nor a head: type 1200, L4H7 or 1200 L4H7</source>
        <translation>“{0}”既不是步也不是头：请输入 1200、L4H7 或 1200 L4H7</translation>
    </message>
    <message>
        <source>type a step or a head: 1200, L4H7 or 1200 L4H7</source>
        <translation>请输入步或头：1200、L4H7 或 1200 L4H7</translation>
    </message>
    <message>
        <source>there is no layer {0}: layers are 0 to {1}</source>
        <translation>没有第 {0} 层：层为 0 至 {1}</translation>
    </message>
    <message>
        <source>layer {0} has no head {1}: heads are 0 to {2}</source>
        <translation>第 {0} 层没有头 {1}：头为 0 至 {2}</translation>
    </message>
    <message>
        <source>step {0} not recorded, showing {1}</source>
        <translation>第 {0} 步没有记录，显示第 {1} 步</translation>
    </message>
    <message>
        <source>{0} holds no whole frame yet; open it again when it does</source>
        <translation>{0} 中还没有完整的帧；有了之后请重新打开</translation>
    </message>
    <message>
        <source>this run has no stream “{0}”, showing all</source>
        <translation>此运行没有数据流“{0}”，显示全部</translation>
    </message>
    <message>
        <source>there is no sample {0}, showing sample {1}</source>
        <translation>没有样本 {0}，显示样本 {1}</translation>
    </message>
</context>
<context>
    <name>PlotChooser</name>
    <message>
        <source>Choose what is plotted</source>
        <translation>选择要绘制的内容</translation>
    </message>
    <message>
        <source>Logarithmic values</source>
        <translation>对数值</translation>
    </message>
    <message>
        <source>For plots without negative values; a zero is then a gap</source>
        <translation>用于没有负值的图；此时零显示为空缺</translation>
    </message>
    <message>
        <source>Compare with the whole model</source>
        <translation>与整个模型比较</translation>
    </message>
    <message>
        <source>The band shows all heads instead of those of the selected head&apos;s layer</source>
        <translation>色带显示所有的头，而不只是所选头所在层的头</translation>
    </message>
</context>
<context>
    <name>Plots</name>
    <message>
        <source>nothing is open</source>
        <translation>没有打开任何内容</translation>
    </message>
    <message>
        <source>not scanned yet</source>
        <translation>尚未扫描</translation>
    </message>
    <message>
        <source>not scanned</source>
        <translation>未扫描</translation>
    </message>
    <message>
        <source>step {step}: {value}</source>
        <translation>第 {step} 步：{value}</translation>
    </message>
    <message>
        <source>not known so far</source>
        <translation>目前未知</translation>
    </message>
    <message>
        <source>every value is NaN or infinite</source>
        <translation>所有的值都是 NaN 或无穷大</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>How widely a query spreads its attention, in nats, as the mean over the head&apos;s rows. 0 = each query looks at one key; ln(keys) = at all alike.</source>
        <translation>查询的注意力分散得有多广，单位为奈特，对此头的各行取平均。0 = 每个查询只看一个键；ln(键数) = 平均地看所有的键。</translation>
    </message>
    <message>
        <source>no weights recorded</source>
        <translation>没有记录权重</translation>
    </message>
    <message>
        <source>Normalised entropy</source>
        <translation>归一化熵</translation>
    </message>
    <message>
        <source>Entropy divided by the logarithm of the keys a row may see: 0 to 1.</source>
        <translation>熵除以该行可见键数的对数：0 到 1。</translation>
    </message>
    <message>
        <source>Mean weight (1/keys)</source>
        <translation>平均权重（1/键数）</translation>
    </message>
    <message>
        <source>The mean over all cells. Rows sum to 1, so for full rows this is 1/keys, whatever the head does: a flat line is healthy, and a drift means broken normalisation. The grey band is the classic rule of 0.01 to 0.1: it only says that there are 10 to 100 keys. Peak weight and entropy tell how sharp a head is.</source>
        <translation>所有单元格的平均值。各行之和为 1，因此对完整的行来说，无论头怎么做，它都等于 1/键数：水平线是健康的，漂移则意味着归一化已损坏。灰色带是 0.01 到 0.1 的经典规则：它只说明有 10 到 100 个键。头有多尖锐，要看峰值权重和熵。</translation>
    </message>
    <message>
        <source>Peak weight</source>
        <translation>峰值权重</translation>
    </message>
    <message>
        <source>The largest weight of a row, as the mean over the head&apos;s rows: 1 = one key.</source>
        <translation>一行中的最大权重，对此头的各行取平均：1 = 只看一个键。</translation>
    </message>
    <message>
        <source>Effective keys</source>
        <translation>有效键数</translation>
    </message>
    <message>
        <source>exp(entropy): how many keys a query really looks at.</source>
        <translation>exp(熵)：一个查询实际看多少个键。</translation>
    </message>
    <message>
        <source>Diagonal mass</source>
        <translation>对角线权重</translation>
    </message>
    <message>
        <source>Mean weight on the query&apos;s own position.</source>
        <translation>查询自身位置上的平均权重。</translation>
    </message>
    <message>
        <source>undefined here, or no weights recorded</source>
        <translation>此处无定义，或没有记录权重</translation>
    </message>
    <message>
        <source>Row sum</source>
        <translation>行和</translation>
    </message>
    <message>
        <source>Smallest and largest sum of a row: both should be 1.</source>
        <translation>最小与最大的行和：两者都应为 1。</translation>
    </message>
    <message>
        <source>row sums not recorded</source>
        <translation>没有记录行和</translation>
    </message>
    <message>
        <source>Score range</source>
        <translation>分数范围</translation>
    </message>
    <message>
        <source>Largest and smallest score of allowed cells before softmax. Growth without end comes before many divergences.</source>
        <translation>softmax 之前，允许的单元格中最大与最小的分数。许多发散之前都会出现无止境的增长。</translation>
    </message>
    <message>
        <source>scores not recorded</source>
        <translation>没有记录分数</translation>
    </message>
    <message>
        <source>Non-finite rows</source>
        <translation>非有限的行</translation>
    </message>
    <message>
        <source>Rows that hold a NaN or an infinite weight.</source>
        <translation>含有 NaN 或无穷大权重的行。</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>奈特</translation>
    </message>
    <message>
        <source>The share of its attention that the chosen query gives to the watched keys.</source>
        <translation>所选查询分给所关注的键的注意力份额。</translation>
    </message>
    <message>
        <source>not found, or no such query may see it</source>
        <translation>未找到，或没有这样的查询可以看到它</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>As logged by the training loop: {name}.</source>
        <translation>训练循环所记录的：{name}。</translation>
    </message>
    <message>
        <source>{name} not logged</source>
        <translation>没有记录 {name}</translation>
    </message>
</context>
<context>
    <name>ProbeBar</name>
    <message>
        <source>Discard the probe: only the recording is left</source>
        <translation>丢弃探测结果：只留下记录</translation>
    </message>
    <message>
        <source>Discard the probe</source>
        <translation>丢弃探测结果</translation>
    </message>
    <message>
        <source>Go to the probe</source>
        <translation>前往探测结果</translation>
    </message>
    <message>
        <source>PROBE, not recorded</source>
        <translation>探测，并非记录</translation>
    </message>
    <message>
        <source>This step is as it was recorded; the probe stands at step {n}: {title}</source>
        <translation>此步为记录原样；探测结果位于第 {n} 步：{title}</translation>
    </message>
    <message>
        <source>{title}, weights of step {n}</source>
        <translation>{title}，第 {n} 步的参数权重</translation>
    </message>
    <message>
        <source>Show the recording</source>
        <translation>显示记录</translation>
    </message>
    <message>
        <source>Step {n} as it was recorded; the probe is kept: {title}</source>
        <translation>第 {n} 步的记录原样；探测结果已保留：{title}</translation>
    </message>
    <message>
        <source>Show the probe</source>
        <translation>显示探测结果</translation>
    </message>
    <message>
        <source>comparing with the recording…</source>
        <translation>正在与记录比较…</translation>
    </message>
    <message>
        <source>not compared: {0}</source>
        <translation>未比较：{0}</translation>
    </message>
    <message>
        <source>agrees with the recording (largest difference {0})</source>
        <translation>与记录一致（最大差值 {0}）</translation>
    </message>
    <message>
        <source>differs from the recording, most in L{0}.H{1}: {2}</source>
        <translation>与记录不一致，差异最大的是 L{0}.H{1}：{2}</translation>
    </message>
</context>
<context>
    <name>Recent</name>
    <message>
        <source>{0} frames</source>
        <translation>{0} 帧</translation>
    </message>
</context>
<context>
    <name>RecentList</name>
    <message>
        <source>Runs that you open are listed here.</source>
        <translation>您打开过的运行记录会列在这里。</translation>
    </message>
    <message>
        <source>not there any more</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>Remove {name} from this list</source>
        <translation>从此列表中移除 {name}</translation>
    </message>
</context>
<context>
    <name>RemoteRun</name>
    <message>
        <source>connecting to {0}…</source>
        <translation>正在连接 {0}…</translation>
    </message>
    <message>
        <source>{0}: no connection</source>
        <translation>{0}：没有连接</translation>
    </message>
    <message>
        <source>{0}: reading {1} of {2} kB</source>
        <translation>{0}：正在读取 {1}/{2} kB</translation>
    </message>
    <message>
        <source>{0}: {1} MB read</source>
        <translation>{0}：已读取 {1} MB</translation>
    </message>
    <message>
        <source>this run lies on another machine: steps are fetched as you go to them. “Check the rest” in the menu Heads examines all of it, and fetches the whole file</source>
        <translation>此运行记录位于另一台机器：各步在您前往时才获取。“头”菜单中的“检查其余部分”会检查全部内容，并获取整个文件</translation>
    </message>
</context>
<context>
    <name>Render</name>
    <message>
        <source>head grid, {0} layers, {1} heads</source>
        <translation>头网格，{0} 层，{1} 个头</translation>
    </message>
    <message>
        <source>layer {0}, head {1}</source>
        <translation>第 {0} 层，头 {1}</translation>
    </message>
    <message>
        <source>there is no frame {0}; the run has 0 to {1}</source>
        <translation>没有第 {0} 帧；此运行有第 0 至 {1} 帧</translation>
    </message>
    <message>
        <source>there is no layer {0}; the run has 0 to {1}</source>
        <translation>没有第 {0} 层；此运行有第 0 至 {1} 层</translation>
    </message>
    <message>
        <source>layer {0} has no head {1}; it has 0 to {2}</source>
        <translation>第 {0} 层没有头 {1}；该层有头 0 至 {2}</translation>
    </message>
    <message>
        <source>a picture of {0} x {1} pixels; it may be {2} x {3} up to {4} x {4}</source>
        <translation>图片为 {0} x {1} 像素；允许的大小为 {2} x {3} 至 {4} x {4}</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>step {0} (frame {1} of {2})</source>
        <translation>第 {0} 步（第 {1} 帧，共 {2} 帧）</translation>
    </message>
    <message>
        <source>sample {0}</source>
        <translation>样本 {0}</translation>
    </message>
</context>
<context>
    <name>RunChooser</name>
    <message>
        <source>Compare with another run</source>
        <translation>与另一个运行记录比较</translation>
    </message>
    <message>
        <source>Recent runs</source>
        <translation>最近打开的运行记录</translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation>其他文件…</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>A is {0}. Which run is B?</source>
        <translation>A 是 {0}。B 是哪个运行记录？</translation>
    </message>
</context>
<context>
    <name>RunDialog</name>
    <message>
        <source>A function without arguments that returns the model, (model, batch) or (model, batch, facts); or a Hugging Face folder; or a file with a pickled model</source>
        <translation>一个无参数的函数，返回 model、(model, batch) 或 (model, batch, facts)；或 Hugging Face 文件夹；或含 pickle 模型的文件</translation>
    </message>
    <message>
        <source>weights as the function leaves them</source>
        <translation>函数给出的参数权重</translation>
    </message>
    <message>
        <source>where your code is imported from</source>
        <translation>导入您的代码的位置</translation>
    </message>
    <message>
        <source>The Python that you train with; it needs torch and h5py</source>
        <translation>您训练所用的 Python；需要 torch 和 h5py</translation>
    </message>
    <message>
        <source>the batch recorded at this step</source>
        <translation>此步记录的批次</translation>
    </message>
    <message>
        <source>the function&apos;s own batch</source>
        <translation>函数自带的批次</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>file (.pt, .npy, .json)</source>
        <translation>文件（.pt、.npy、.json）</translation>
    </message>
    <message>
        <source>What is missing</source>
        <translation>缺少的内容</translation>
    </message>
    <message>
        <source>It runs in a process of its own, but with your rights: agree only to code you know. Files of weights and Hugging Face folders run no code.</source>
        <translation>它在单独的进程中运行，但拥有您的权限：只同意运行您了解的代码。参数权重文件和 Hugging Face 文件夹不会运行代码。</translation>
    </message>
    <message>
        <source>Run the code of {0}</source>
        <translation>运行 {0} 的代码</translation>
    </message>
    <message>
        <source>what the model is to read</source>
        <translation>要让模型读的内容</translation>
    </message>
    <message>
        <source>path of the file</source>
        <translation>文件路径</translation>
    </message>
    <message>
        <source>Name the function that makes the model, or choose a folder.</source>
        <translation>请指定创建模型的函数，或选择文件夹。</translation>
    </message>
    <message>
        <source>Choose the checkpoints to run.</source>
        <translation>请选择要运行的检查点。</translation>
    </message>
    <message>
        <source>Name the archive to write.</source>
        <translation>请指定要写入的存档。</translation>
    </message>
    <message>
        <source>Type the text that the model is to read.</source>
        <translation>请输入要让模型读的文本。</translation>
    </message>
    <message>
        <source>Name the file with the batch.</source>
        <translation>请指定含批次的文件。</translation>
    </message>
    <message>
        <source>Agree to run its code, or name another model.</source>
        <translation>请同意运行其代码，或指定另一个模型。</translation>
    </message>
    <message>
        <source>Choose a Hugging Face folder</source>
        <translation>选择 Hugging Face 文件夹</translation>
    </message>
    <message>
        <source>Choose the weights</source>
        <translation>选择参数权重</translation>
    </message>
    <message>
        <source>Choose the checkpoints</source>
        <translation>选择检查点</translation>
    </message>
    <message>
        <source>Write the archive to</source>
        <translation>将存档写入</translation>
    </message>
    <message>
        <source>Choose the folder of your code</source>
        <translation>选择您的代码文件夹</translation>
    </message>
    <message>
        <source>Choose a Python</source>
        <translation>选择 Python</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Write to</source>
        <translation>写入到</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>参数权重</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Choose: {0}</source>
        <translation>选择：{0}</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Text or file</source>
        <translation>文本或文件</translation>
    </message>
</context>
<context>
    <name>RunDocks</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Flags</source>
        <translation>告警</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间轴</translation>
    </message>
</context>
<context>
    <name>RunView</name>
    <message>
        <source>These run your model, in a process of its own: name the function that makes it. You are asked before any code runs.</source>
        <translation>以下操作会在单独的进程中运行您的模型：请指定创建模型的函数。运行任何代码之前都会先询问您。</translation>
    </message>
    <message>
        <source>Result of running the model</source>
        <translation>运行模型的结果</translation>
    </message>
    <message>
        <source>Checks…</source>
        <translation>检查…</translation>
    </message>
    <message>
        <source>Does padding leak? Is it causal? Is the scale there? Tried out on it.</source>
        <translation>填充会泄漏吗？是因果的吗？有缩放吗？在模型上试验。</translation>
    </message>
    <message>
        <source>Recompute…</source>
        <translation>重新计算…</translation>
    </message>
    <message>
        <source>Run the recorded batch at this step&apos;s checkpoint and compare each head</source>
        <translation>用此步的检查点运行记录的批次，并逐头比较</translation>
    </message>
    <message>
        <source>Scale heads…</source>
        <translation>缩放头…</translation>
    </message>
    <message>
        <source>What does the batch cost when a head is silenced, or made louder?</source>
        <translation>将一个头静默或增强时，此批次的损失是多少？</translation>
    </message>
    <message>
        <source>Probe this step…</source>
        <translation>探测此步…</translation>
    </message>
    <message>
        <source>Run a text of yours, or a batch, and show its attention in the grid</source>
        <translation>运行您的文本或批次，并在网格中显示其注意力</translation>
    </message>
    <message>
        <source>Replace tokens…</source>
        <translation>替换词元…</translation>
    </message>
    <message>
        <source>What changes without a token or a span of them? Attention alone does not tell.</source>
        <translation>去掉一个或一段词元会有什么变化？仅凭注意力无法得知。</translation>
    </message>
    <message>
        <source>Probe checkpoints…</source>
        <translation>探测检查点…</translation>
    </message>
    <message>
        <source>Record one batch through every checkpoint of a run into a new archive</source>
        <translation>用运行的每个检查点处理一个批次，并记录到新的存档</translation>
    </message>
</context>
<context>
    <name>RunViews</name>
    <message>
        <source>loading…</source>
        <translation>加载中…</translation>
    </message>
    <message>
        <source>recorded − probed</source>
        <translation>记录 − 探测</translation>
    </message>
</context>
<context>
    <name>ScaleOptions</name>
    <message>
        <source>Factor</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>every head, one at a time</source>
        <translation>所有的头，逐个进行</translation>
    </message>
    <message>
        <source>only the selected head, L{0}.H{1}</source>
        <translation>仅所选的头，L{0}.H{1}</translation>
    </message>
    <message>
        <source>Which heads</source>
        <translation>哪些头</translation>
    </message>
    <message>
        <source>Multiply its output by</source>
        <translation>其输出乘以</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头</translation>
    </message>
    <message>
        <source>0 silences the head</source>
        <translation>0 使该头静默</translation>
    </message>
    <message>
        <source>1 changes nothing</source>
        <translation>1 不作任何改变</translation>
    </message>
    <message>
        <source>below 0 turns it round</source>
        <translation>小于 0 使其反向</translation>
    </message>
</context>
<context>
    <name>SecretDialog</name>
    <message>
        <source>{0} asks</source>
        <translation>{0} 询问</translation>
    </message>
    <message>
        <source>It is not stored.</source>
        <translation>不会保存。</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>the recording has ended at step {0}</source>
        <translation>记录已在第 {0} 步结束</translation>
    </message>
    <message>
        <source>the recording ended abruptly at step {0}: its process is gone</source>
        <translation>记录在第 {0} 步突然中断：其进程已不存在</translation>
    </message>
    <message>
        <source>the file has become shorter: {0} of {1} steps are left in it</source>
        <translation>文件变短了：{1} 步中只剩 {0} 步</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>The language changes at the next start.</source>
        <translation>语言在下次启动时更改。</translation>
    </message>
    <message>
        <source>light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> 磅</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>Frames that were read are kept in it, for scrubbing back and forth.</source>
        <translation>已读取的帧会保留在其中，以便来回拖动。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Size of text</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Memory for frames</source>
        <translation>帧的内存</translation>
    </message>
</context>
<context>
    <name>Severities</name>
    <message>
        <source>label</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>notice</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>严重</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Grid: click, double-click</source>
        <translation>网格：单击，双击</translation>
    </message>
    <message>
        <source>select a head, open it</source>
        <translation>选择头，打开头</translation>
    </message>
    <message>
        <source>Grid: Ctrl+wheel, drag</source>
        <translation>网格：Ctrl+滚轮，拖动</translation>
    </message>
    <message>
        <source>zoom at the pointer, move</source>
        <translation>在指针处缩放，移动</translation>
    </message>
    <message>
        <source>Timeline: drag, wheel, Ctrl+drag</source>
        <translation>时间轴：拖动，滚轮，Ctrl+拖动</translation>
    </message>
    <message>
        <source>scrub, zoom, move</source>
        <translation>拖动浏览，缩放，移动</translation>
    </message>
    <message>
        <source>Timeline: Shift+drag</source>
        <translation>时间轴：Shift+拖动</translation>
    </message>
    <message>
        <source>choose the part that Loop plays</source>
        <translation>选择循环播放的一段</translation>
    </message>
    <message>
        <source>Mouse</source>
        <translation>鼠标</translation>
    </message>
</context>
<context>
    <name>ShortcutsSheet</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>所有按键</translation>
    </message>
</context>
<context>
    <name>Signals</name>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>fully masked row</source>
        <translation>整行被屏蔽</translation>
    </message>
    <message>
        <source>score overflow</source>
        <translation>分数溢出</translation>
    </message>
    <message>
        <source>weights are no probabilities</source>
        <translation>权重不是概率</translation>
    </message>
    <message>
        <source>softmax over the wrong axis</source>
        <translation>softmax 的轴有误</translation>
    </message>
    <message>
        <source>rows do not sum to 1</source>
        <translation>行和不为 1</translation>
    </message>
    <message>
        <source>rows scaled after softmax</source>
        <translation>softmax 之后行被缩放</translation>
    </message>
    <message>
        <source>rows sum below 1</source>
        <translation>行和小于 1</translation>
    </message>
    <message>
        <source>dropout in the weights</source>
        <translation>权重中含 dropout</translation>
    </message>
    <message>
        <source>extreme scores</source>
        <translation>分数过大</translation>
    </message>
    <message>
        <source>growing scores</source>
        <translation>分数持续增长</translation>
    </message>
    <message>
        <source>wrong score scale</source>
        <translation>分数缩放有误</translation>
    </message>
    <message>
        <source>ties from low precision</source>
        <translation>低精度造成并列</translation>
    </message>
    <message>
        <source>soft-cap not applied</source>
        <translation>未应用软上限</translation>
    </message>
    <message>
        <source>scores differ from q·k</source>
        <translation>分数与 q·k 不符</translation>
    </message>
    <message>
        <source>looks into the future</source>
        <translation>看到未来</translation>
    </message>
    <message>
        <source>attention on padding</source>
        <translation>注意填充</translation>
    </message>
    <message>
        <source>outside the window</source>
        <translation>超出滑动窗口</translation>
    </message>
    <message>
        <source>crosses documents</source>
        <translation>跨越文档</translation>
    </message>
    <message>
        <source>attention through the mask</source>
        <translation>注意力穿过掩码</translation>
    </message>
    <message>
        <source>allowed keys cut off</source>
        <translation>允许的键被截断</translation>
    </message>
    <message>
        <source>diagonal collapse</source>
        <translation>对角坍缩</translation>
    </message>
    <message>
        <source>neighbour head</source>
        <translation>邻位头</translation>
    </message>
    <message>
        <source>sink</source>
        <translation>注意力汇</translation>
    </message>
    <message>
        <source>collapse onto one key</source>
        <translation>坍缩到一个键</translation>
    </message>
    <message>
        <source>weight on special tokens</source>
        <translation>权重落在特殊词元上</translation>
    </message>
    <message>
        <source>identical heads</source>
        <translation>头完全相同</translation>
    </message>
    <message>
        <source>identical keys</source>
        <translation>键完全相同</translation>
    </message>
    <message>
        <source>positions alias</source>
        <translation>位置混叠</translation>
    </message>
    <message>
        <source>wrong ALiBi slopes</source>
        <translation>ALiBi 斜率有误</translation>
    </message>
    <message>
        <source>massive activation</source>
        <translation>巨量激活</translation>
    </message>
    <message>
        <source>entropy collapse</source>
        <translation>熵坍缩</translation>
    </message>
    <message>
        <source>saturated head</source>
        <translation>头饱和</translation>
    </message>
    <message>
        <source>uniform attention</source>
        <translation>均匀注意力</translation>
    </message>
    <message>
        <source>all queries alike</source>
        <translation>所有查询相同</translation>
    </message>
    <message>
        <source>layers repeat each other</source>
        <translation>各层重复</translation>
    </message>
    <message>
        <source>heads become alike</source>
        <translation>各头趋同</translation>
    </message>
    <message>
        <source>heads not specialised</source>
        <translation>头没有分化</translation>
    </message>
    <message>
        <source>tokens become alike</source>
        <translation>词元趋同</translation>
    </message>
    <message>
        <source>frozen head</source>
        <translation>头停滞</translation>
    </message>
    <message>
        <source>frozen layer</source>
        <translation>层停滞</translation>
    </message>
    <message>
        <source>nothing is training</source>
        <translation>没有任何参数在训练</translation>
    </message>
    <message>
        <source>sudden change</source>
        <translation>突变</translation>
    </message>
    <message>
        <source>oscillation</source>
        <translation>振荡</translation>
    </message>
    <message>
        <source>output range jumps</source>
        <translation>输出范围跳变</translation>
    </message>
    <message>
        <source>dead head</source>
        <translation>失效头</translation>
    </message>
    <message>
        <source>token ids out of range</source>
        <translation>词元 id 越界</translation>
    </message>
    <message>
        <source>NaN in the layer&apos;s input</source>
        <translation>层的输入含 NaN</translation>
    </message>
    <message>
        <source>the forward pass raised</source>
        <translation>前向传播抛出异常</translation>
    </message>
    <message>
        <source>dropout on the scores</source>
        <translation>分数上施加了 dropout</translation>
    </message>
    <message>
        <source>mask on the head axis</source>
        <translation>掩码放在了头的轴上</translation>
    </message>
    <message>
        <source>dropout during evaluation</source>
        <translation>评估时启用了 dropout</translation>
    </message>
    <message>
        <source>no warm-up</source>
        <translation>没有预热</translation>
    </message>
    <message>
        <source>loss anomaly</source>
        <translation>损失异常</translation>
    </message>
    <message>
        <source>gradient anomaly</source>
        <translation>梯度异常</translation>
    </message>
    <message>
        <source>not captured</source>
        <translation>未捕获</translation>
    </message>
    <message>
        <source>unexpected shape</source>
        <translation>形状出乎预期</translation>
    </message>
    <message>
        <source>captured twice</source>
        <translation>重复捕获</translation>
    </message>
    <message>
        <source>only one key</source>
        <translation>只有一个键</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Open a run…</source>
        <translation>打开运行记录…</translation>
    </message>
    <message>
        <source>A recorded run (.h5). Key: Ctrl+O. Or drop a file anywhere on this window.</source>
        <translation>运行记录文件（.h5）。按键：Ctrl+O。也可将文件拖放到此窗口的任意位置。</translation>
    </message>
    <message>
        <source>Open the sample run</source>
        <translation>打开示例运行记录</translation>
    </message>
    <message>
        <source>A small bundled recording of a training that broke.</source>
        <translation>随附的小型记录：一次出了故障的训练。</translation>
    </message>
    <message>
        <source>A run is broken now, and nothing was recorded</source>
        <translation>训练现在出了故障，但没有记录</translation>
    </message>
    <message>
        <source>What can still be done.</source>
        <translation>还能做些什么。</translation>
    </message>
    <message>
        <source>A job is running: wait for it, or cancel it.</source>
        <translation>有任务正在运行：请等待，或将其取消。</translation>
    </message>
    <message>
        <source>Attention Debugger</source>
        <translation>Attention Debugger</translation>
    </message>
    <message>
        <source>Replay a training step by step, and see which head broke first, and why.</source>
        <translation>逐步回放训练，看清哪个头最先出了故障，以及原因。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Record your own run</source>
        <translation>记录您自己的运行</translation>
    </message>
    <message>
        <source>Demo runs</source>
        <translation>演示运行</translation>
    </message>
    <message>
        <source>Trained and recorded here and now, each in under a minute.</source>
        <translation>此时此地训练并记录，每个不到一分钟。</translation>
    </message>
    <message>
        <source>From a terminal: {command}</source>
        <translation>在终端中：{command}</translation>
    </message>
</context>
<context>
    <name>Status</name>
    <message>
        <source>step {0} (frame {1}/{2})</source>
        <translation>第 {0} 步（帧 {1}/{2}）</translation>
    </message>
    <message>
        <source>sample {0}</source>
        <translation>样本 {0}</translation>
    </message>
    <message>
        <source>layer {0} head {1}</source>
        <translation>第 {0} 层 头 {1}</translation>
    </message>
    <message>
        <source>{0}: query {1}{2} → key {3}{4}</source>
        <translation>{0}：查询 {1}{2} → 键 {3}{4}</translation>
    </message>
    <message>
        <source>weight {0}</source>
        <translation>权重 {0}</translation>
    </message>
    <message>
        <source>row sum {0}</source>
        <translation>行和 {0}</translation>
    </message>
    <message>
        <source>row entropy {0} nats</source>
        <translation>行熵 {0} 奈特</translation>
    </message>
    <message>
        <source>masked on purpose</source>
        <translation>有意屏蔽</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限值</translation>
    </message>
    <message>
        <source>largest of {0} cells ≈ {1}</source>
        <translation>{0} 个单元格中的最大值 ≈ {1}</translation>
    </message>
    <message>
        <source>weight ≈ {0}</source>
        <translation>权重 ≈ {0}</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>loading…</source>
        <translation>加载中…</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel  Esc</source>
        <translation>取消  Esc</translation>
    </message>
    <message>
        <source>Cancel what is running</source>
        <translation>取消正在运行的任务</translation>
    </message>
</context>
<context>
    <name>StepPictures</name>
    <message>
        <source>step {0}</source>
        <translation>第 {0} 步</translation>
    </message>
    <message>
        <source>step {0} could not be read in time; nothing was written</source>
        <translation>第 {0} 步未能及时读取；没有写入任何内容</translation>
    </message>
    <message>
        <source>another run was opened; nothing was written</source>
        <translation>已打开另一个运行记录；没有写入任何内容</translation>
    </message>
</context>
<context>
    <name>StepProbe</name>
    <message>
        <source>probe, not recorded</source>
        <translation>探测，并非记录</translation>
    </message>
    <message>
        <source>Your text “{0}”</source>
        <translation>您的文本“{0}”</translation>
    </message>
    <message>
        <source>Your batch {0}</source>
        <translation>您的批次 {0}</translation>
    </message>
    <message>
        <source>The recorded batch, computed again</source>
        <translation>重新计算的记录批次</translation>
    </message>
</context>
<context>
    <name>StoryCard</name>
    <message>
        <source>More or less of the story</source>
        <translation>展开或收起经过</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>还有 {n} 条</translation>
    </message>
</context>
<context>
    <name>ThreadTask</name>
    <message>
        <source>this is a defect of attn-debugger; nothing was written</source>
        <translation>这是 attn-debugger 的缺陷；没有写入任何内容</translation>
    </message>
    <message>
        <source>there is not enough memory for this</source>
        <translation>内存不足</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>entropy / log keys</source>
        <translation>熵 / log 键数</translation>
    </message>
    <message>
        <source>peak weight</source>
        <translation>峰值权重</translation>
    </message>
    <message>
        <source>diagonal weight</source>
        <translation>对角线权重</translation>
    </message>
    <message>
        <source>largest score</source>
        <translation>最大分数</translation>
    </message>
    <message>
        <source>step {0} (frame {1} of {2})</source>
        <translation>第 {0} 步（第 {1} 帧，共 {2} 帧）</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>note: {0}</source>
        <translation>笔记：{0}</translation>
    </message>
    <message>
        <source>bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>not yet checked</source>
        <translation>尚未检查</translation>
    </message>
    <message>
        <source>not recorded in run B</source>
        <translation>运行记录 B 中没有</translation>
    </message>
    <message>
        <source>here the weights of the two runs part first</source>
        <translation>两个运行记录的权重从这里开始出现分歧</translation>
    </message>
</context>
<context>
    <name>TimelineControls</name>
    <message>
        <source>Speed of playing</source>
        <translation>播放速度</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Training step</source>
        <translation>训练步</translation>
    </message>
    <message>
        <source>Type a training step and press Enter; the nearest is shown</source>
        <translation>输入训练步并按 Enter；将显示最近的一步</translation>
    </message>
    <message>
        <source>Curve in the timeline</source>
        <translation>时间轴中的曲线</translation>
    </message>
    <message>
        <source>What the strip of heads shows</source>
        <translation>头的色带显示什么</translation>
    </message>
    <message>
        <source>Unit of the axis</source>
        <translation>轴的单位</translation>
    </message>
    <message>
        <source>curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>strip</source>
        <translation>色带</translation>
    </message>
    <message>
        <source>axis</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>this run logged no loss or other number</source>
        <translation>此运行没有记录损失或其他数值</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>帧</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
</context>
<context>
    <name>TimelineTrack</name>
    <message>
        <source>{0}
(click to go there)</source>
        <translation>{0}
（点击前往）</translation>
    </message>
    <message>
        <source>checkpoint at step {0}: {1}</source>
        <translation>第 {0} 步的检查点：{1}</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间轴</translation>
    </message>
</context>
<context>
    <name>TokenOptions</name>
    <message>
        <source>each token in turn</source>
        <translation>逐个词元</translation>
    </message>
    <message>
        <source>these, together:</source>
        <translation>以下词元一起：</translation>
    </message>
    <message>
        <source>Which tokens</source>
        <translation>哪些词元</translation>
    </message>
    <message>
        <source>positions, such as 4 or 3-5, 8</source>
        <translation>位置，例如 4 或 3-5, 8</translation>
    </message>
    <message>
        <source>Positions of the tokens</source>
        <translation>词元的位置</translation>
    </message>
    <message>
        <source>Tokens of the sample</source>
        <translation>样本的词元</translation>
    </message>
    <message>
        <source>replaced by other tokens of the batch</source>
        <translation>替换为批次中的其他词元</translation>
    </message>
    <message>
        <source>replaced by the token</source>
        <translation>替换为指定词元</translation>
    </message>
    <message>
        <source>hidden from attention, like padding</source>
        <translation>对注意力隐藏，如同填充</translation>
    </message>
    <message>
        <source>What becomes of them</source>
        <translation>如何处理</translation>
    </message>
    <message>
        <source>id </source>
        <translation>id </translation>
    </message>
    <message>
        <source>For example the id of [MASK]</source>
        <translation>例如 [MASK] 的 id</translation>
    </message>
    <message>
        <source>Id of the token</source>
        <translation>词元的 id</translation>
    </message>
    <message>
        <source>The loss and the logits of all other positions tell what the model relied on. Attention mass alone is not reliance.</source>
        <translation>其余位置的损失与 logits 说明模型依赖什么。仅有注意力权重并不等于依赖。</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>They are</source>
        <translation>将它们</translation>
    </message>
    <message>
        <source>Which tokens? Write positions such as 4 or 3-5, 8.</source>
        <translation>哪些词元？请写位置，例如 4 或 3-5, 8。</translation>
    </message>
</context>
<context>
    <name>TrendPlots</name>
    <message>
        <source>No run is open</source>
        <translation>没有打开运行记录</translation>
    </message>
    <message>
        <source>dashed: run B</source>
        <translation>虚线：运行记录 B</translation>
    </message>
    <message>
        <source>All heads: band from the lowest to the highest, quartiles, median</source>
        <translation>所有的头：从最低到最高的色带、四分位、中位数</translation>
    </message>
    <message>
        <source>{head} against all heads: range, quartiles, median</source>
        <translation>{head} 与所有的头相比：范围、四分位、中位数</translation>
    </message>
    <message>
        <source>{head} against layer {layer}: range, quartiles, median</source>
        <translation>{head} 与第 {layer} 层相比：范围、四分位、中位数</translation>
    </message>
    <message>
        <source>stream {name}</source>
        <translation>数据流 {name}</translation>
    </message>
    <message>
        <source>scanned {n}/{total}, the rest is shaded</source>
        <translation>已扫描 {n}/{total}，其余以阴影显示</translation>
    </message>
</context>
<context>
    <name>TwoRuns</name>
    <message>
        <source>A − B</source>
        <translation>A − B</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>{0} at the same step, max-pooled tiles; black = NaN in either</source>
        <translation>{0}，同一步，图块经最大池化；黑色 = 其中之一为 NaN</translation>
    </message>
    <message>
        <source>≈ {0} % of its attention lies elsewhere in B</source>
        <translation>在 B 中约 {0} % 的注意力位于别处</translation>
    </message>
</context>
<context>
    <name>Watch</name>
    <message>
        <source>weight on “{0}”</source>
        <translation>“{0}”上的权重</translation>
    </message>
    <message>
        <source>looking…</source>
        <translation>查找中…</translation>
    </message>
    <message>
        <source>not in this sample: no key has that text or place</source>
        <translation>不在此样本中：没有键具有该文本或位置</translation>
    </message>
    <message>
        <source>keys found: {0}</source>
        <translation>找到的键：{0}</translation>
    </message>
    <message>
        <source>but no query that is asked may see them</source>
        <translation>但所问的查询都看不到它们</translation>
    </message>
    <message>
        <source>{0} of {1} steps</source>
        <translation>{0}/{1} 步</translation>
    </message>
    <message>
        <source>stopped after {0} of {1} steps</source>
        <translation>在 {0}/{1} 步之后停止</translation>
    </message>
</context>
<context>
    <name>WatchBar</name>
    <message>
        <source>[PAD], words, /expression/, #4-9</source>
        <translation>[PAD]、词、/表达式/、#4-9</translation>
    </message>
    <message>
        <source>Enter: sort and number the heads by their weight on these keys.&lt;br&gt;Words, also of several tokens; /expression/ over tokens and words; #4-9 positions; doc 2 a packed document; header = #4-9 gives it a name</source>
        <translation>Enter：按头在这些键上的权重排序并标数。&lt;br&gt;词，可由多个词元组成；/表达式/ 匹配词元和词；#4-9 为位置；doc 2 为打包的文档；header = #4-9 为其命名</translation>
    </message>
    <message>
        <source>Tokens to watch</source>
        <translation>要关注的词元</translation>
    </message>
    <message>
        <source>From which query</source>
        <translation>从哪个查询出发</translation>
    </message>
    <message>
        <source>Whose attention on these keys is summed</source>
        <translation>对这些键的注意力由谁求和</translation>
    </message>
    <message>
        <source>the first token (CLS)</source>
        <translation>首个词元（CLS）</translation>
    </message>
    <message>
        <source>the last token</source>
        <translation>最后一个词元</translation>
    </message>
    <message>
        <source>every query, mean</source>
        <translation>所有查询取平均</translation>
    </message>
    <message>
        <source>the selected query</source>
        <translation>所选的查询</translation>
    </message>
    <message>
        <source>Stop watching (Esc in the field)</source>
        <translation>停止关注（在输入框中按 Esc）</translation>
    </message>
    <message>
        <source>Stop watching</source>
        <translation>停止关注</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>关注</translation>
    </message>
    <message>
        <source>seen from</source>
        <translation>出自</translation>
    </message>
</context>
<context>
    <name>Watching</name>
    <message>
        <source>select a cell first: its query is the one that is meant</source>
        <translation>请先选择一个单元格：将使用其查询</translation>
    </message>
</context>
<context>
    <name>WeightsView</name>
    <message>
        <source>Read all checkpoints</source>
        <translation>读取所有检查点</translation>
    </message>
    <message>
        <source>Read the weights of every checkpoint of this run, in a process of its own</source>
        <translation>在单独的进程中读取此运行每个检查点的参数权重</translation>
    </message>
    <message>
        <source>Number of the weights that is plotted</source>
        <translation>所绘制的参数权重指标</translation>
    </message>
    <message>
        <source>no head is selected</source>
        <translation>未选择头</translation>
    </message>
    <message>
        <source>the checkpoints do not tell this of layer {0}</source>
        <translation>检查点没有给出第 {0} 层的此项指标</translation>
    </message>
    <message>
        <source>nothing is open</source>
        <translation>没有打开任何内容</translation>
    </message>
    <message>
        <source>the archive lists no checkpoints: recorder.saved(step, path)</source>
        <translation>存档没有列出检查点：recorder.saved(step, path)</translation>
    </message>
    <message>
        <source>the checkpoints lie on another machine: copy them here and open them</source>
        <translation>检查点位于另一台机器：请复制到本机再打开</translation>
    </message>
    <message>
        <source>{0} checkpoints, not read yet</source>
        <translation>{0} 个检查点，尚未读取</translation>
    </message>
</context>
<context>
    <name>WhatIf</name>
    <message>
        <source>Entropy, nats</source>
        <translation>熵（奈特）</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Diagonal</source>
        <translation>对角线</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>记录值</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Most weight</source>
        <translation>最大权重</translation>
    </message>
    <message>
        <source>queries without any key, their rows are NaN: {n}</source>
        <translation>没有任何键的查询，其行为 NaN：{n}</translation>
    </message>
</context>
<context>
    <name>WhatIfPanel</name>
    <message>
        <source>Numbers before and after</source>
        <translation>更改前后的数值</translation>
    </message>
    <message>
        <source>Select a head to change its softmax.</source>
        <translation>选择一个头以更改其 softmax。</translation>
    </message>
    <message>
        <source>No map of this head could be read.</source>
        <translation>无法读取此头的注意力图。</translation>
    </message>
    <message>
        <source>recorded, step {0}</source>
        <translation>记录，第 {0} 步</translation>
    </message>
    <message>
        <source>probe, step {0}</source>
        <translation>探测，第 {0} 步</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>假设</translation>
    </message>
</context>
<context>
    <name>Work</name>
    <message>
        <source>{0} is still running; cancel it or wait</source>
        <translation>{0} 仍在运行；请取消或等待</translation>
    </message>
    <message>
        <source>opening {0}…</source>
        <translation>正在打开 {0}…</translation>
    </message>
    <message>
        <source>checking {0}/{1}</source>
        <translation>检查中 {0}/{1}</translation>
    </message>
    <message>
        <source>overviews {0}/{1}</source>
        <translation>概览 {0}/{1}</translation>
    </message>
    <message>
        <source>making overviews for quick scrubbing {0}/{1}</source>
        <translation>正在生成概览以便快速拖动 {0}/{1}</translation>
    </message>
</context>
</TS>
